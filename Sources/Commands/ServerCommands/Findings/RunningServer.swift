import BackendAPI
import CommandSupport
import OpenID
import OutgoingRequests
import ServerConfiguration
import ServerCore

/// Server that runs on an installation, as a command asks it: by its management listener.
struct RunningServer {
    private let management: ManagementSettings

    init(_ management: ManagementSettings) { self.management = management }

    /// Findings of the server.
    ///
    /// Throws a ``CommandFailure`` when it does not answer.
    func findings() async throws(CommandFailure) -> [ServerFinding] {
        let (place, words) = place
        let request = InstallationRequest(to: place, path: "/nevisfido/health", token: token)
        let certificate = certificate
        do {
            let answer = try await request.answer { $0 == certificate }
            let health = try HealthBody(body: answer.body)
            guard !health.components.isEmpty else {
                throw CommandFailure.local("serverSilent", "\(words) does not take management.server.token-file")
            }
            return health.components.compactMap(ServerFinding.init)
        } catch let failure as CommandFailure {
            throw failure
        } catch let failure as OutgoingFailure {
            throw .local("serverSilent", "\(words) does not answer (\(failure.rawValue))", isRetryable: true)
        } catch {
            throw .local("serverSilent", "\(words) does not answer as a server of this version")
        }
    }

    private var token: String? {
        management.token.flatMap { PosixFiles().contents(of: $0.file) }.map { bytes in
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        }
    }

    /// Certificate of the listener in DER; nil where it has none.
    private var certificate: [UInt8]? {
        guard case .certificate(let chainFile, _) = management.security else { return nil }
        return PosixFiles().contents(of: chainFile).flatMap {
            CertificateReview.firstCertificate(inPEM: String(decoding: $0, as: UTF8.self))
        }
    }

    private var place: (InstallationRequest.Place, words: String) {
        switch management.place {
        case .socket(let path, _): return (.socket(path: path), path)
        case .address(var address):
            if ["0.0.0.0", "::"].contains(address.host) { address.host = "127.0.0.1" }
            let isPlain = management.security == .plain
            return (
                isPlain
                    ? .plain(host: address.host, port: address.port) : .tls(host: address.host, port: address.port),
                address.authority
            )
        }
    }
}

extension ServerFinding {
    /// Finding that a part of the health tells; nil for one that is up, and for a subject of another version.
    fileprivate init?(_ component: HealthBody.Component) {
        guard let detail = component.detail, let subject = Subject(rawValue: component.name) else { return nil }
        self.init(subject, component.isUp ? Severity(rawValue: detail.name) ?? .warning : .down, detail.text)
    }
}
