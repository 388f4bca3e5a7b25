import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** Iceberg's own REST catalog, from its tests: arguments are port, SQLite file and warehouse. */
public final class RestCatalog {
  public static void main(String[] arguments) throws Exception {
    JdbcCatalog tables = new JdbcCatalog();
    tables.setConf(new Configuration());
    tables.initialize(
        "tables",
        Map.of(
            "uri", "jdbc:sqlite:file:" + arguments[1] + "?busy_timeout=60000",
            "jdbc.schema-version", "V1",
            "warehouse", arguments[2]));

    ServletContextHandler paths = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
    RESTCatalogServlet servlet = new RESTCatalogServlet(new RESTCatalogAdapter(tables));
    paths.addServlet(new ServletHolder(servlet), "/*");
    Server server =
        new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
    server.setHandler(paths);
    server.start();
    server.join();
  }
}
