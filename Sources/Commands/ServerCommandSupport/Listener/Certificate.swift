package import CommandSupport
package import FoundationEssentials
package import HTTPEngine

/// Certificate chain and private key provided by the operator.
package struct CertificateFiles: Sendable {
    private let section: String
    private let chainFile: String
    private let privateKeyFile: String

    package init(section: String = "server.tls", chainFile: String, privateKeyFile: String) {
        self.section = section
        self.chainFile = chainFile
        self.privateKeyFile = privateKeyFile
    }

    /// Identity for a TLS listener; throws a ``CommandFailure`` that names the setting and the file.
    package func identity() throws(CommandFailure) -> ServerIdentity {
        let (chain, key) = (try text(chainFile, "certificate-file"), try text(privateKeyFile, "private-key-file"))
        if let problem = ServerIdentity.problem(chainPEM: chain, privateKeyPEM: key) {
            throw .local("certificateUnusable", words(for: problem))
        }
        return ServerIdentity(chainPEM: chain, privateKeyPEM: key)
    }

    private func text(_ path: String, _ setting: String) throws(CommandFailure) -> String {
        guard let bytes = PosixFiles().contents(of: path), let text = String(validating: bytes, as: UTF8.self) else {
            throw .local("certificateUnusable", "\(section).\(setting): \(path) cannot be read as text (PEM)")
        }
        return text
    }

    private func words(for problem: ServerIdentity.Problem) -> String {
        switch problem {
        case .swapped:
            "\(section): \(chainFile) holds a private key and \(privateKeyFile) a certificate: "
                + "swap certificate-file and private-key-file"
        case .noCertificate: "\(section).certificate-file: \(chainFile) holds no readable certificate (PEM)"
        case .noPrivateKey:
            "\(section).private-key-file: \(privateKeyFile) holds no readable private key (PEM, without a passphrase)"
        case .keyOfAnother:
            "\(section).private-key-file: the key in \(privateKeyFile) does not fit the certificate in \(chainFile); "
                + "the server's own certificate comes first in the chain"
        }
    }
}

/// Folder of the certificates that the server issues for itself.
package struct CertificateFolder: Sendable {
    private let path: String
    private let files: PosixFiles

    /// The folder at a path, which is made when it is first needed.
    package init(path: String, files: PosixFiles) {
        self.path = path
        self.files = files
    }

    /// File of the certificate authority that phones on this machine have to trust.
    package var authorityFile: String { path + "/ca.pem" }

    private var authorityKeyFile: String { path + "/ca.key" }
    private var chainFile: String { path + "/server.pem" }
    private var keyFile: String { path + "/server.key" }

    /// Certificate chain and key of the listener; issued when there is none, renewed when less than 30 days are left.
    package func identity(now: Date) throws -> ServerIdentity {
        try files.makePrivateFolder(path)
        if let chain = text(chainFile), let key = text(keyFile), let authority = text(authorityFile),
            chain.hasSuffix(authority), isFresh(chain, now: now)
        {
            return ServerIdentity(chainPEM: chain, privateKeyPEM: key)
        }
        let (identity, key) = try authority(now: now).identity(now: now)
        try files.write(Array(key.utf8), to: keyFile, mode: 0o600)
        try files.write(Array(identity.chainPEM.utf8), to: chainFile, mode: 0o644)
        return identity
    }

    private func authority(now: Date) throws -> LoopbackAuthority {
        if let certificate = text(authorityFile), let key = text(authorityKeyFile), isFresh(certificate, now: now) {
            return LoopbackAuthority(certificatePEM: certificate, privateKeyPEM: key)
        }
        let authority = try LoopbackAuthority.make(now: now)
        try files.write(Array(authority.privateKeyPEM.utf8), to: authorityKeyFile, mode: 0o600)
        try files.write(Array(authority.certificatePEM.utf8), to: authorityFile, mode: 0o644)
        return authority
    }

    private func isFresh(_ pem: String, now: Date) -> Bool {
        guard let review = try? CertificateReview(chainPEM: pem, host: nil, now: now) else { return false }
        return review.notValidAfter > now + 30 * 86_400
    }

    private func text(_ path: String) -> String? {
        files.contents(of: path).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
