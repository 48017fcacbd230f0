import ServerHTTP

/// The certificate chain and private key that an operator has given.
struct CertificateFiles {
    let chainFile: String
    let privateKeyFile: String

    /// What a listener answers with; throws a ``CommandFailure`` that names the setting and the file.
    func identity() throws(CommandFailure) -> ServerIdentity {
        let (chain, key) = (try text(chainFile, "certificate-file"), try text(privateKeyFile, "private-key-file"))
        if let problem = ServerIdentity.problem(chainPEM: chain, privateKeyPEM: key) {
            throw .local("certificateUnusable", words(for: problem))
        }
        return ServerIdentity(chainPEM: chain, privateKeyPEM: key)
    }

    private func text(_ path: String, _ setting: String) throws(CommandFailure) -> String {
        guard let bytes = PosixFiles().contents(of: path), let text = String(validating: bytes, as: UTF8.self) else {
            throw .local("certificateUnusable", "server.tls.\(setting): \(path) cannot be read as text (PEM)")
        }
        return text
    }

    private func words(for problem: ServerIdentity.Problem) -> String {
        switch problem {
        case .swapped:
            "server.tls: \(chainFile) holds a private key and \(privateKeyFile) a certificate: "
                + "swap certificate-file and private-key-file"
        case .noCertificate: "server.tls.certificate-file: \(chainFile) holds no readable certificate (PEM)"
        case .noPrivateKey:
            "server.tls.private-key-file: \(privateKeyFile) holds no readable private key (PEM, without a passphrase)"
        case .keyOfAnother:
            "server.tls.private-key-file: the key in \(privateKeyFile) is not that of the certificate in \(chainFile); "
                + "the server's own certificate comes first in the chain"
        }
    }
}
