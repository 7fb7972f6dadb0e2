import java.io.File;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.webapp.WebAppContext;

/** Serves the unpacked web-grid of Apache OODT at any free port, and tells which. Argument: its folder. */
public class OldServer {
  public static void main(String[] arguments) throws Exception {
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    WebAppContext application = new WebAppContext(new File(arguments[0]).toURI().toString(), "/");
    application.setThrowUnavailableOnStartupException(true);
    server.setHandler(application);
    server.start();
    System.out.println(((ServerConnector) server.getConnectors()[0]).getLocalPort());
    // Ends with whoever started it.
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
