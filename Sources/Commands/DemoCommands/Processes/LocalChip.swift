import CommandSupport
import Foundation

/// Software TPM of a demonstration: a `swtpm` process whose endorsement keys a separate authority has certified.
final class LocalChip: Sendable {
    private static let folders = ["/usr/bin", "/usr/local/bin"]
    private static let patience: Duration = .seconds(60)

    private let folder: URL
    private let process: ChildProcess
    /// Certificates of the authorities that vouch for the chip, in PEM form.
    let authoritiesFile: URL

    init(folder: URL) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder.appending(path: "authority"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try await Self.certify(folder)
        authoritiesFile = try Self.authorities(in: folder)
        let socket = folder.appending(path: "sock").path()
        process = try ChildProcess(
            try Self.program("swtpm"),
            [
                "socket", "--tpm2", "--tpmstate", "dir=" + folder.path(), "--server", "type=unixio,path=" + socket,
                "--ctrl", "type=unixio,path=" + socket + ".ctrl", "--flags", "not-need-init,startup-clear",
            ], folder: folder, name: "swtpm")
        try await waitForSockets(socket)
    }

    /// Connection string (TCTI).
    var connection: String { "swtpm:path=" + folder.appending(path: "sock").path() }

    func stop() { process.stop() }

    private func waitForSockets(_ socket: String) async throws {
        let end = ContinuousClock.now + Self.patience
        while ![socket, socket + ".ctrl"].allSatisfy({ FileManager.default.fileExists(atPath: $0) }) {
            guard process.isRunning, ContinuousClock.now < end else {
                throw CommandFailure.local("ChipFailed", "swtpm did not start: \(process.complaints)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    // MARK: - Certificates

    /// Makes endorsement keys and their certificates, with the tools that come with swtpm.
    private static func certify(_ folder: URL) async throws {
        let path = folder.path()
        let authority = folder.appending(path: "authority").path()
        let files = [
            "localca.conf": """
            statedir = \(authority)
            signingkey = \(authority)/signkey.pem
            issuercert = \(authority)/issuercert.pem
            certserial = \(authority)/certserial

            """,
            "localca.options": "--platform-manufacturer Demo\n--platform-version 1\n--platform-model Demo\n",
            "setup.conf": """
            create_certs_tool=\(try program("swtpm_localca").path())
            create_certs_tool_config=\(folder.appending(path: "localca.conf").path())
            create_certs_tool_options=\(folder.appending(path: "localca.options").path())

            """,
        ]
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let setup = try ChildProcess(
            try program("swtpm_setup"),
            [
                "--tpm2", "--tpmstate", path, "--config", folder.appending(path: "setup.conf").path(),
                "--create-ek-cert", "--ecc", "--overwrite",
            ], folder: folder, name: "swtpm-setup")
        let ending = await setup.ending()
        guard ending.code == 0 else {
            throw CommandFailure.local("ChipFailed", "swtpm_setup made no chip: \(ending.output)\(ending.complaints)")
        }
    }

    /// One file with the certificates of the root and of the authority that issues: chips bring only their own.
    private static func authorities(in folder: URL) throws -> URL {
        let names = ["swtpm-localca-rootca-cert.pem", "issuercert.pem"]
        let certificates = try names.map { name in
            // In some versions other text stands before the certificate.
            let text = try String(contentsOf: folder.appending(path: "authority/" + name), encoding: .utf8)
            return text.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN CERTIFICATE") }
                .joined(separator: "\n") + "\n"
        }
        let file = folder.appending(path: "authorities.pem")
        try Data(certificates.joined().utf8).write(to: file)
        return file
    }

    private static func program(_ name: String) throws -> URL {
        let found = folders.map { URL(filePath: $0 + "/" + name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path())
        }
        guard let found else {
            throw CommandFailure.local(
                "ChipMissing", "\(name) is missing: install it (swtpm, swtpm-tools)")
        }
        return found
    }
}
