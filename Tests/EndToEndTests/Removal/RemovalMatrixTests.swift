import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import TestSupport
import Testing
import UAF

@Suite("Removal reaches everything: every blow against every way in, through processes")
struct RemovalMatrixTests {
    @Test("S-H1, S-H7: Of every blow and every route the table says what is granted afterwards, and why")
    func matrix() async throws {
        let scratch = try CommandSupport.TemporaryFolder(named: "signet-removal")
        let keyFile = scratch.url.appending(path: "portal.key")
        try Data(Portal.accessKey.utf8).write(to: keyFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile.path())
        let installation = try Installation(settings: Self.settings(keyFile))
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: installation.server.folder.appending(path: "metadata.json"))
        let process = try await installation.server.start()
        defer { process.kill() }
        for blow in RemovalBlow.allCases { try await Self.row(blow, installation.server) }
        try await Self.requireRecorded(installation.server)
    }

    @Test("S-H7: sessions end closes the browser sessions of one user at once, and of no other user")
    func browsers() async throws {
        let installation = try Installation()
        let process = try await installation.server.start()
        defer { process.kill() }
        for name in ["anna", "bert"] { try await installation.server.addUser(name, password: Installation.password) }
        let (anna, bert) = (
            try await Browser.logIn("anna", at: installation.server),
            try await Browser.logIn("bert", at: installation.server)
        )
        #expect(try await anna.registrationStatus == 1200)
        #expect(try await bert.registrationStatus == 1200)
        let ended = try await installation.server.administer("sessions end", ["--user", "anna", "-m", "a test"])
        #expect(ended.isDone, "\(ended.message)")
        await #expect(throws: Browser.Refusal(status: 401)) { try await anna.registrationStatus }
        #expect(try await bert.registrationStatus == 1200)
        #expect(try await Browser.logIn("anna", at: installation.server).registrationStatus == 1200)
    }

    private static func settings(_ keyFile: URL) -> String {
        """
        fido-uaf:
          metadata: { path: metadata.json }
        out-of-band:
          status-authorization: required
          limits: { one-pending-operation: false }
          access-keys: [{ name: portal, key-file: \(keyFile.path()), scopes: \(Portal.scopes) }]

        """
    }

    /// One user, who has everything ready, then the blow, then every route.
    private static func row(_ blow: RemovalBlow, _ server: LocalServer) async throws {
        let name = "user-\(blow.rawValue)"
        try await server.addUser(name, password: Installation.password)
        let user = try await RemovalUser(name, at: server)
        try await blow.fall(on: user, at: server)
        for route in RemovalRoute.allCases {
            let (granted, reason) = (route.survives.after.contains(blow), route.survives.because)
            let outcome = try await user.try(route)
            #expect(outcome == (granted ? .granted : .refused), "\(blow.rawValue), \(route.rawValue): \(reason)")
        }
    }

    /// The commands are in the audit with the operating-system user who ran them.
    private static func requireRecorded(_ server: LocalServer) async throws {
        let verified = try await server.administer("audit verify")
        #expect(verified.isDone, "\(verified.message)")
        let kinds = [
            "ADMIN_USER_LOCKED", "ADMIN_CREDENTIAL_DISABLED", "ADMIN_CREDENTIAL_REMOVED", "ADMIN_DEVICE_REMOVED",
            "ADMIN_USER_REMOVED", "ADMIN_PASSWORD_SET", "ADMIN_SESSIONS_ENDED",
        ]
        let export = try await server.exportedAudit()
        for kind in kinds {
            let lines = export.filter { $0.contains("\"event\":\"\(kind)\"") }
            #expect(
                !lines.isEmpty && lines.allSatisfy { $0.contains("\"actor\":{\"uid\":\(getuid())") }, "S-L12: \(kind)")
        }
        let served = export.filter { $0.contains("REGISTRATION_SUCCEEDED") }
        #expect(!served.isEmpty && served.allSatisfy { !$0.contains("\"actor\"") }, "a server is no operator")
    }
}
