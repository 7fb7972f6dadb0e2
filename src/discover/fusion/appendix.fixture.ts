/**
 * The table of a published experiment: what three engines answered in 2006 to the title and acronym of the
 * International Satellite Cloud Climatology Project, the best 25 of each. Of its 64 rows the first 47
 * survive. Each row: weight as published, then rank in Google, Yahoo and MSN (0: not among the best 25), then
 * the address.
 */
type Row = readonly [weight: number, google: number, yahoo: number, msn: number, url: string];

export const APPENDIX_DEPTH = 25;

export const APPENDIX: readonly Row[] = [
  [50, 1, 1, 0, 'http://isccp.giss.nasa.gov/'],
  [47, 3, 2, 0, 'http://www.gewex.org/isccp.html'],
  [40, 6, 6, 0, 'http://www.cgd.ucar.edu/cas/catalog/satellite/isccp/'],
  [29, 11, 12, 0, 'http://www2.ncdc.noaa.gov/docs/isccp/icaweb.htm'],
  [28, 9, 15, 0, 'http://www.ncdc.noaa.gov/oa/rsad/isccpb1/isccpproject.html'],
  [26, 19, 7, 0, 'http://eosweb.larc.nasa.gov/GUIDE/campaign_documents/isccp_project.html'],
  [25, 0, 0, 1, 'http://www.atmos.umd.edu/~srb/'],
  [24, 0, 0, 2, 'http://www.atmos.umd.edu/~srb/gcip/'],
  [24, 2, 0, 0, 'http://isccp.giss.nasa.gov/overview.html'],
  [23, 0, 0, 3, 'http://eosweb.larc.nasa.gov/PRODOCS/srb/table_srb.html'],
  [23, 0, 3, 0, 'http://www.giss.nasa.gov/'],
  [23, 16, 13, 0, 'http://pubs.giss.nasa.gov/abstracts/1983/Schiffer_Rossow.html'],
  [22, 0, 0, 4, 'http://www.gewex.org/srb.html'],
  [22, 4, 0, 0, 'http://www.gewex.org/ISCCP_data_products_4-2006.pdf'],
  [22, 0, 4, 0, 'http://www.gewex.org/PAN-GEWEX-MTG/Pan-GEWEX_ISCCP-2006.pdf'],
  [21, 0, 5, 0, 'http://gcmd.nasa.gov/records/GCMD_LDEO_ISCCP.html'],
  [21, 5, 0, 0, 'http://www.cgd.ucar.edu/cas/catalog/satellite/isccp/C2/means.html'],
  [21, 0, 0, 5, 'http://www.gewex.org/srbdata.htm'],
  [20, 0, 0, 6, 'http://islscp2.sesda.com/ISLSCP2_1/html_pages/groups/rad/srb_radiation_1deg.html'],
  [20, 21, 11, 0, 'http://eosweb.larc.nasa.gov/PRODOCS/isccp/table_isccp.html'],
  [19, 0, 0, 7, 'http://islscp2.sesda.com/ISLSCP2_1/html_pages/groups/rad/srb_clouds_1deg.html'],
  [19, 7, 0, 0, 'http://citeseer.ist.psu.edu/18329.html'],
  [18, 0, 0, 8, 'http://www.agu.org/eos_elec/95206e.html'],
  [
    18,
    8,
    0,
    0,
    'http://directory.ecoportal.org/info_InternationalSatelliteCloudClimatologyProjectISCCP.html',
  ],
  [18, 0, 8, 0, 'http://dss.ucar.edu/datasets/ds742.0/docs/1983.SchifferRossow.pdf'],
  [17, 0, 0, 9, 'http://directory.ecoportal.org/info_SurfaceRadiationBudgetSRBProject.html'],
  [17, 0, 21, 14, 'http://grp.giss.nasa.gov/links.html'],
  [17, 0, 9, 0, 'http://gcmd.gsfc.nasa.gov/records/GCMD_ISCCP_D1_NAT.html'],
  [16, 0, 10, 0, 'http://www.wmo.ch/web/sat/en/ap4-04.htm'],
  [16, 0, 0, 10, 'http://esrb.iesl.forth.gr/01project/01summary.htm'],
  [16, 10, 0, 0, 'http://daac.gsfc.nasa.gov/fieldexp/TOGA/isccp_dx.html'],
  [15, 0, 0, 11, 'http://www.dwd.de/en/FundE/Klima/KLIS/int/CM-SAF/products/index.htm'],
  [14, 0, 0, 12, 'http://isccp.giss.nasa.gov/projects/flux.html'],
  [14, 12, 0, 0, 'http://www2.ncdc.noaa.gov/docs/isccp/cdcweb.htm'],
  [13, 13, 0, 0, 'http://www.agu.org/pubs/crossref/1997/96JD03865.shtml'],
  [13, 0, 0, 13, 'http://isccp.giss.nasa.gov/projects/gewex.html'],
  [13, 23, 16, 0, 'http://pubs.giss.nasa.gov/abstracts/2004/Rossow_Duenas.html'],
  [12, 0, 14, 0, 'http://ghrc.msfc.nasa.gov:5721/campaign_documents/fire_ace.html'],
  [12, 14, 0, 0, 'http://www.agu.org/pubs/crossref/1996/96JD01771.shtml'],
  [11, 15, 0, 0, 'http://microwave.nsstc.nasa.gov:5721/campaign_documents/fire_ace.html'],
  [11, 0, 0, 15, 'http://grp.giss.nasa.gov/projects.html'],
  [10, 0, 0, 16, 'http://rredc.nrel.gov/otherlinks.html'],
  [9, 0, 17, 0, 'http://www.ghcc.msfc.nasa.gov/ampr/fire3.html'],
  [9, 17, 0, 0, 'http://www.iode.org/oceanportal/detail.php?id=5681'],
  [9, 0, 0, 17, 'http://ams.confex.com/ams/Madison2006/techprogram/session_19727.htm'],
  [8, 0, 0, 18, 'http://asd-www.larc.nasa.gov/ceres/brochure/land_cover.html'],
  [8, 18, 0, 0, 'http://ams.allenpress.com/perlserv/?request=get-abstract&doi=10.1175%2FBAMS-85-2-167'],
];
