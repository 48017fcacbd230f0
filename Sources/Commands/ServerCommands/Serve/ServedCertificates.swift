import CommandSupport
import FoundationEssentials
import HTTPEngine
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import UAFService

/// Certificates of the running server: the listener's, and the certificates of the TLS front ends that phones may name.
///
/// A certificate of the listener is known as long as connections use it, and for a while after that
/// (``KnownFrontEnds``). The last one that was served is kept in a file, so that a restart with another certificate
/// refuses no phone either.
struct ServedCertificates: Sendable {
    /// Identity of the service listener; nil when it speaks plain HTTP.
    let identity: ServingIdentity?
    /// Identity of the management listener; nil when it speaks plain HTTP.
    let management: ServingIdentity?
    /// Identity of the administration listener; nil when there is none, or it speaks plain HTTP.
    let administration: ServingIdentity?
    private let running: Deployment
    private let frontEnds: KnownFrontEnds
    private let files = PosixFiles()
    /// Files with the certificates of other front ends, as they were configured last.
    private var otherFiles: [String]

    /// Reads or makes the certificate of the listener, and tells the services what is known; throws a
    /// ``CommandFailure`` that names what cannot be used.
    init(_ deployment: Deployment, services: ServerServices) throws {
        running = deployment
        frontEnds = services.frontEnds
        otherFiles = deployment.uaf.frontEndCertificateFiles
        let chosen = try Self.identity(for: deployment)
        identity = try chosen.map { try ServingIdentity($0) }
        management = try deployment.http.management.certificateFiles?.serving()
        administration = try deployment.http.administration?.certificateFiles?.serving()
        // Before the first connection; TicketRotation tells when that is not possible.
        _ = try identity?.shareTickets(of: services.keys.ticketSecret())
        if let chosen {
            if deployment.http.showsOwnCertificate, let last = files.contents(of: lastFile) {
                // In use until now; a damaged file tells nothing.
                try? frontEnds.replace(with: [last])
            }
            try remember(chosen)
        }
        try refresh()
    }

    var terms: [ServedCertificateTerm] {
        let isOwn = running.http.security == .ownCertificate
        return [
            identity.flatMap { ServedCertificateTerm(of: $0.chainPEM, at: .service, isOwn: isOwn) },
            management.flatMap { ServedCertificateTerm(of: $0.chainPEM, at: .management, isOwn: false) },
            administration.flatMap { ServedCertificateTerm(of: $0.chainPEM, at: .administration, isOwn: false) },
        ].compactMap(\.self)
    }

    /// The same without a server, by the files that it would serve.
    static func terms(inFilesOf deployment: Deployment) -> [ServedCertificateTerm] {
        let http = deployment.http
        let isOwn = http.security == .ownCertificate
        let own = isOwn ? deployment.dataDirectory + "/tls/server.pem" : http.security.files.first
        return [(own, .service, isOwn), (http.management.security.files.first, .management, false)].compactMap {
            (file: String?, listener: ServedCertificateTerm.Listener, isOwn) in
            file.flatMap { PosixFiles().contents(of: $0) }.flatMap {
                ServedCertificateTerm(of: String(decoding: $0, as: UTF8.self), at: listener, isOwn: isOwn)
            }
        }
    }

    /// Certificates that phones may see, in PEM form; none where a proxy shows one that the configuration does not name.
    var known: [String] {
        let others = otherFiles.compactMap { files.contents(of: $0) }.map { String(decoding: $0, as: UTF8.self) }
        return others + (running.http.showsOwnCertificate || !others.isEmpty ? identity?.chains ?? [] : [])
    }

    /// Files whose change means another certificate.
    var paths: [String] {
        let http = running.http
        return http.security.files + http.management.security.files + (http.administration?.security.files ?? [])
            + otherFiles
    }

    /// Takes up the files of the listeners and of the configuration; true when a listener has another certificate now.
    ///
    /// Throws, and keeps what was in use, when one cannot be used.
    mutating func reload(_ deployment: Deployment) throws -> Bool {
        let known = otherFiles
        otherFiles = deployment.uaf.frontEndCertificateFiles
        do {
            let forManagement = try running.http.management.certificateFiles?.identity()
            let forAdministration = try running.http.administration?.certificateFiles?.identity()
            let isReplaced = try replaceIdentity()
            let isManagementReplaced = try forManagement.map { try management?.replace(with: $0) ?? false } ?? false
            let isAdministrationReplaced =
                try forAdministration.map { try administration?.replace(with: $0) ?? false } ?? false
            try refresh()
            return isReplaced || isManagementReplaced || isAdministrationReplaced
        } catch {
            otherFiles = known
            throw error
        }
    }

    /// Tells the services which certificates are in use, also on older connections only.
    func refresh() throws { try tell(of: identity?.chains ?? []) }

    /// Tells the services the certificates of other front ends, and of the listener where phones see it.
    private func tell(of own: [String]) throws {
        let others = try others()
        let isOwnSeen = running.http.showsOwnCertificate || !others.isEmpty
        try frontEnds.replace(with: others + (isOwnSeen ? own.map { Array($0.utf8) } : []))
    }

    private func replaceIdentity() throws -> Bool {
        guard let identity, let chosen = try Self.identity(for: running) else { return false }
        // Known before the first connection has it.
        try tell(of: identity.chains + [chosen.chainPEM])
        guard try identity.replace(with: chosen) else { return false }
        try remember(chosen)
        return true
    }

    private func others() throws(CommandFailure) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        for file in otherFiles {
            guard let content = files.contents(of: file) else {
                throw .local(
                    "certificateUnusable", "fido-uaf.channel-binding.certificate-files: \(file) cannot be read")
            }
            contents.append(content)
        }
        return contents
    }

    // MARK: - Certificate of the listener

    private var lastFile: String { running.dataDirectory + "/tls/served.pem" }

    private func remember(_ identity: ServerIdentity) throws {
        try files.makePrivateFolder(running.dataDirectory + "/tls")
        try files.write(Array(identity.chainPEM.utf8), to: lastFile, mode: 0o644)
    }

    private static func identity(for deployment: Deployment) throws -> ServerIdentity? {
        switch deployment.http.security {
        case .plain: nil
        case .ownCertificate: try CertificateFolder(deployment).identity(now: Date.now)
        case .certificate(let chainFile, let privateKeyFile):
            try CertificateFiles(chainFile: chainFile, privateKeyFile: privateKeyFile).identity()
        }
    }
}

extension ManagementSettings {
    /// Certificate and key of the listener; nil when it speaks plain HTTP.
    var certificateFiles: CertificateFiles? {
        guard case .certificate(let chainFile, let keyFile) = security else { return nil }
        return CertificateFiles(section: "management.server.tls", chainFile: chainFile, privateKeyFile: keyFile)
    }
}

extension AdministrationSettings {
    /// Certificate and key of the listener; nil when it speaks plain HTTP.
    var certificateFiles: CertificateFiles? {
        guard case .certificate(let chainFile, let keyFile) = security else { return nil }
        return CertificateFiles(section: "administration.tls", chainFile: chainFile, privateKeyFile: keyFile)
    }
}

extension CertificateFiles {
    fileprivate func serving() throws -> ServingIdentity { try ServingIdentity(try identity()) }
}

extension TransportSecurity {
    fileprivate var files: [String] {
        guard case .certificate(let chainFile, let keyFile) = self else { return [] }
        return [chainFile, keyFile]
    }
}

extension CertificateFolder {
    init(_ deployment: Deployment) {
        self.init(path: deployment.dataDirectory + "/tls", files: PosixFiles())
    }
}
