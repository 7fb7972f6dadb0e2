import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.oodt.commons.util.XML;
import org.apache.oodt.profile.Profile;
import org.apache.oodt.profile.ProfileElement;
import org.apache.oodt.xmlquery.XMLQuery;

/**
 * A client of old: asks by the classes of Apache OODT, reads the answer by them, and tells what it understood.
 * Arguments: address, "q" or "xmlq", DIS expression, media types.
 */
public class OldClient {
  public static void main(String[] arguments) throws Exception {
    String expression = arguments[2];
    List<String> types = Arrays.asList(arguments).subList(3, arguments.length);
    List<String> form = new ArrayList<>();
    if (arguments[1].equals("q")) form.add("q=" + encode(expression));
    else {
      XMLQuery query =
          new XMLQuery(expression, "1", "Old", "", "", "ATTRIBUTE", "BROADCAST", "N/A", 100, types, true);
      form.add("xmlq=" + encode(query.getXMLDocString()));
    }
    for (String type : types) form.add("mime=" + encode(type));
    HttpURLConnection connection = (HttpURLConnection) new URL(arguments[0]).openConnection();
    connection.setDoOutput(true);
    connection.getOutputStream().write(String.join("&", form).getBytes(StandardCharsets.UTF_8));
    System.out.println(connection.getResponseCode() + " " + connection.getContentType());
    if (connection.getResponseCode() != 200) return;
    try (InputStream stream = connection.getInputStream()) {
      byte[] answer = stream.readAllBytes();
      if (types.isEmpty()) tellProfiles(new String(answer, StandardCharsets.UTF_8));
      else System.out.println(answer.length);
    }
  }

  static void tellProfiles(String answer) throws Exception {
    for (Object found : Profile.createProfiles(XML.parse(answer).getDocumentElement())) {
      Profile profile = (Profile) found;
      StringBuilder line = new StringBuilder(profile.getResourceAttributes().getIdentifier());
      for (Object entry : profile.getProfileElements().values()) {
        ProfileElement element = (ProfileElement) entry;
        line.append('\t').append(element.getName()).append('=');
        if (!element.getMinValue().isEmpty()) line.append(element.getMinValue()).append("..").append(element.getMaxValue());
        else line.append(element.getValues());
      }
      System.out.println(line);
    }
  }

  static String encode(String text) throws Exception {
    return URLEncoder.encode(text, "UTF-8");
  }
}
