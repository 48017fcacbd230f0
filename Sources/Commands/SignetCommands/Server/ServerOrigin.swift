import ServerConfiguration
import ServerCore

extension Deployment {
    /// Where clients reach the service: as configured, else the listener itself.
    var origin: String {
        http.publicOrigin ?? (http.security == .plain ? "http://" : "https://") + http.service.authority
    }
}
