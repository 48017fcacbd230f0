import Foundation

/// PAM services with passwords for one test; nothing of the system's is read or changed.
///
/// Needs Debian's package `libpam-wrapper`; tests check ``isInstalled``. A process that is started with ``environment``
/// uses ``folder`` in place of `/etc/pam.d`.
package final class PAMStage: Sendable {
    /// Whether the PAM module for passwords and the preloaded library for other processes are installed.
    package static let isInstalled = matrix != nil && wrapper != nil
    /// Message of a test that is skipped without the package.
    package static let absence = "libpam-wrapper is not installed; run script/bootstrap"

    private static let libraries = [
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
    ]
    private static let matrix = path(of: "pam_wrapper/pam_matrix.so")
    private static let wrapper = path(of: "libpam_wrapper.so")

    private let temporary: TemporaryFolder

    /// Creates a folder without any service.
    package init() throws {
        temporary = try TemporaryFolder()
    }

    /// Folder of the services.
    package var folder: String { temporary.path }

    /// Name of the account that runs the tests.
    package static var account: String { NSUserName() }

    /// Environment in which another process uses the folder in place of the system's.
    package var environment: [String: String] {
        let loaded = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { [$0] } ?? []
        return [
            "LD_PRELOAD": (loaded + [Self.wrapper ?? ""]).joined(separator: ":"), "PAM_WRAPPER": "1",
            "PAM_WRAPPER_SERVICE_DIR": folder,
        ]
    }

    /// Adds a service; `$MATRIX` in a line is the module for passwords, `$FOLDER` this folder.
    package func add(_ service: String, _ lines: String...) throws {
        let text = lines.joined(separator: "\n").replacing(
            "$MATRIX", with: "\(Self.matrix ?? "") passdb=$FOLDER/passwords"
        )
        .replacing("$FOLDER", with: folder)
        try Data((text + "\n").utf8).write(to: URL(filePath: folder + "/" + service))
    }

    /// Sets the password of an account at a service.
    package func setPassword(_ password: String, of account: String = account, at service: String) throws {
        try Data("\(account):\(password):\(service)\n".utf8).write(to: URL(filePath: folder + "/passwords"))
    }

    /// Adds a service that accepts only `password`, and only from the account of the tests.
    package func add(_ service: String, taking password: String) throws {
        try add(service, "auth required $MATRIX", "account required $MATRIX")
        try setPassword(password, at: service)
    }

    private static func path(of file: String) -> String? {
        libraries.map { $0 + "/" + file }.first { FileManager.default.fileExists(atPath: $0) }
    }
}
