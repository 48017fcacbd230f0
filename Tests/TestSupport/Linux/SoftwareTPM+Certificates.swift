import Foundation

/// Endorsement keys and their certificates, by swtpm's own certificate authority.
extension SoftwareTPM {
    /// Whether that authority can run here.
    package static let isCertifiable =
        isInstalled && path(of: "swtpm_setup") != nil && path(of: "swtpm_localca") != nil

    /// Makes the endorsement keys (RSA 2048 and P-384), has them certified, and puts the certificates into the chip.
    func certify() throws {
        let authority = folder.path + "/authority"
        try FileManager.default.createDirectory(atPath: authority, withIntermediateDirectories: false)
        try place(
            Array(
                """
                statedir = \(authority)
                signingkey = \(authority)/signkey.pem
                issuercert = \(authority)/issuercert.pem
                certserial = \(authority)/certserial

                """.utf8), as: "localca.conf")
        try place(
            Array("--platform-manufacturer Test\n--platform-version 1\n--platform-model Test\n".utf8),
            as: "localca.options")
        try place(
            Array(
                """
                create_certs_tool=\(Self.path(of: "swtpm_localca")?.path() ?? "")
                create_certs_tool_config=\(folder.path)/localca.conf
                create_certs_tool_options=\(folder.path)/localca.options

                """.utf8), as: "setup.conf")
        try tool(
            "swtpm_setup", "--tpm2", "--tpmstate", folder.path, "--config", folder.path + "/setup.conf",
            "--create-ek-cert", "--ecc", "--overwrite")
    }

    /// The root of the authority (DER).
    package func endorsementRoot() throws -> [UInt8] {
        try certificate("authority/swtpm-localca-rootca-cert.pem")
    }

    /// The certificate of the authority that has issued the chip's (DER).
    package func endorsementIssuer() throws -> [UInt8] {
        try certificate("authority/issuercert.pem")
    }

    /// The certificate in a file; in some versions other text stands before it.
    private func certificate(_ name: String) throws -> [UInt8] {
        let lines = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8).split(separator: "\n")
        let body = lines.drop { !$0.hasPrefix("-----BEGIN CERTIFICATE") }.dropFirst().prefix { !$0.hasPrefix("-") }
        guard let octets = Data(base64Encoded: body.joined()) else { throw Failure.didNotStart }
        return [UInt8](octets)
    }
}
