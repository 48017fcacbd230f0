import CommandSupport
import PushSink
import TestSupport
import Testing

@testable import PushSinkCommands

@Suite("signet-push-sink: the file of the service account")
struct ServiceAccountFileTests {
    private let origin = "https://127.0.0.1:9443"

    @Test("It is made once, for its owner only, and stays the same at the next start")
    func made() throws {
        let folder = try TemporaryFolder()
        let file = ServiceAccountFile(path: folder.path + "/account.json")
        let account = try file.account()
        try file.write(account, origin: origin)
        #expect(try folder.permissions(of: "account.json") == 0o600)
        let first = try folder.bytes(of: "account.json")
        try file.write(file.account(), origin: origin)
        #expect(try folder.bytes(of: "account.json") == first)
        #expect(try folder.names() == ["account.json"])
    }

    @Test("With another port the key stays and the address changes")
    func moved() throws {
        let folder = try TemporaryFolder()
        let file = ServiceAccountFile(path: folder.path + "/account.json")
        let account = try file.account()
        try file.write(account, origin: origin)
        try file.write(file.account(), origin: "https://127.0.0.1:9444")
        #expect(try folder.bytes(of: "account.json") == account.json(origin: "https://127.0.0.1:9444"))
    }

    @Test("A file that others can read is closed again")
    func exposed() throws {
        let folder = try TemporaryFolder()
        let file = ServiceAccountFile(path: folder.path + "/account.json")
        try file.write(try file.account(), origin: origin)
        try folder.setPermissions(0o644, of: "account.json")
        try file.write(try file.account(), origin: origin)
        #expect(try folder.permissions(of: "account.json") == 0o600)
    }

    @Test("A file that is not of the sink is left alone")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let content = Array(#"{"type":"service_account","client_email":"a@b.iam.gserviceaccount.com"}"#.utf8)
        try folder.overwrite("account.json", with: content)
        #expect(throws: CommandFailure.self) {
            try ServiceAccountFile(path: folder.path + "/account.json").account()
        }
        #expect(try folder.bytes(of: "account.json") == content)
    }
}
