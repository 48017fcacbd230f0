import BackendTransport
import BackendTransportLinux
package import CommandSupport
import Foundation

/// File of certificates in PEM form.
package enum AuthorityFile {
    /// Reads the file; throws when it contains no certificate.
    package static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw .local("AuthorityFileUnreadable", "the file of certificates \(path) cannot be read")
        }
        let octets = [UInt8](content)
        do throws(BackendTransportError) {
            _ = try TransportTrust.certificates(inPEM: octets)
        } catch {
            throw .local("AuthorityFileUnreadable", "the file \(path) holds no certificate in PEM form")
        }
        return octets
    }
}
