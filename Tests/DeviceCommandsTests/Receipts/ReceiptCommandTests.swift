import ArgumentParser
import CommandSupport
import Crypto
import Foundation
import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@testable import DeviceCommands

@Suite("signet receipt verify judges files, and names what does not hold")
struct ReceiptCommandTests {
    private let stage: ReceiptStage
    private let folder: TestSupport.TemporaryFolder
    private let honest: String

    init() throws {
        stage = try ReceiptStage()
        folder = try TestSupport.TemporaryFolder()
        honest = try stage.receipt(stage.claims(stage.content(text: stage.text)))
        try Data(stage.keys.json).write(to: URL(filePath: folder.path + "/keys.json"))
    }

    private func file(_ name: String, _ octets: some Collection<UInt8>) throws -> String {
        let path = folder.path + "/" + name
        try Data(octets).write(to: URL(filePath: path))
        return path
    }

    /// Code of the refusal; nil when the receipt holds.
    private func refusal(_ receipt: String, keys: String? = nil, audit: String? = nil) throws -> CommandFailure? {
        var arguments = [receipt, "--keys", keys ?? folder.path + "/keys.json"]
        if let audit { arguments += ["--audit", audit] }
        let command = try ReceiptVerifyCommand.parse(arguments)
        do throws(CommandFailure) {
            _ = try command.outcome()
            return nil
        } catch {
            return error
        }
    }

    @Test("An honest receipt holds, also with the line end of an editor and through a pipe")
    func accepted() throws {
        #expect(try refusal(file("receipt", honest.utf8)) == nil)
        #expect(try refusal(file("edited", (honest + "\r\n").utf8)) == nil)
        let pipe = Pipe()
        defer { withExtendedLifetime(pipe) {} }
        try pipe.fileHandleForWriting.write(contentsOf: Data(honest.utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try refusal("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)") == nil)
        let command = try ReceiptVerifyCommand.parse([
            folder.path + "/receipt", "--keys", folder.path + "/keys.json",
        ])
        let text = try command.outcome().text.description
        #expect(text.contains("the receipt holds: serverSignature, text, challenge, assertion"))
        #expect(text.contains("client:shop") && !text.contains("audit"))
    }

    @Test("A file that was altered is refused with exit code 1 and the finding")
    func altered() throws {
        let parts = honest.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        var claims = stage.claims(try stage.content(text: stage.text))
        claims.append("more", .string("1"))
        let payload = Base64URL.encode(JSONWriter.write(.object(claims)))
        let signature = (parts[2].hasPrefix("A") ? "B" : "A") + String(parts[2].dropFirst())
        for (octets, code) in [
            (Array("\(parts[0]).\(payload).\(parts[2])".utf8), "serverSignature"),
            (Array("\(parts[0]).\(parts[1]).\(signature)".utf8), "serverSignature"),
            (Array("\(parts[0]).\(parts[1])".utf8), "malformed"), (Array(honest.utf8.dropLast(90)), "malformed"),
            ([], "malformed"), ([0xFF, 0xFE], "malformed"), (Array("{}".utf8), "malformed"),
            (Array(String(repeating: honest, count: 20).utf8), "malformed"),
        ] as [([UInt8], String)] {
            let failure = try #require(try refusal(file("altered", octets)))
            #expect(failure.code == code && failure.kind == .refused, "\(octets.prefix(40))")
        }
    }

    @Test("A receipt without a signature, by another key, or of another type is none")
    func forged() throws {
        let head = Base64URL.encode(Array(#"{"alg":"none","kid":"receipts-1","typ":"signet-receipt+jwt"}"#.utf8))
        let payload = honest.split(separator: ".").dropFirst().first ?? ""
        for unsigned in ["\(head).\(payload).", "\(head).\(payload).AAAA"] {
            let failure = try #require(try refusal(file("unsigned", unsigned.utf8)))
            #expect(failure.kind == .refused)
        }
        let claims = try stage.claims(stage.content(text: stage.text))
        let foreign = try stage.receipt(claims, by: P256.Signing.PrivateKey())
        #expect(try refusal(file("foreign", foreign.utf8))?.code == "serverSignature")
        let token = try stage.receipt(claims, type: "JWT")
        #expect(try refusal(file("token", token.utf8))?.code == "malformed")
        let others = try JWKS([stage.key(P256.Signing.PrivateKey())])
        #expect(try refusal(file("receipt", honest.utf8), keys: file("others", others.json))?.code == "serverSignature")
    }

    @Test("The export has to hold the record of the receipt")
    func audit() throws {
        let record = stage.record(text: stage.text)
        let claims = try stage.claims(stage.content(text: stage.text), record: record.hash)
        let receipt = try file("receipt", stage.receipt(claims).utf8)
        #expect(try refusal(receipt, audit: file("audit", record.line + [0x0A])) == nil)
        let other = stage.record(sequence: 43, text: stage.text)
        for lines in [[], other.line, Array("no line\n".utf8)] as [[UInt8]] {
            #expect(try refusal(receipt, audit: file("other", lines))?.code == "audit")
        }
    }

    @Test("Files that cannot be read, and a key set that is none, are failures of this machine: exit code 2")
    func unreadable() throws {
        let receipt = try file("receipt", honest.utf8)
        for (path, keys, code) in [
            (folder.path + "/absent", nil, "FileUnreadable"), (folder.path, nil, "FileUnreadable"),
            (receipt, folder.path + "/absent", "FileUnreadable"), (receipt, receipt, "KeysUnreadable"),
        ] as [(String, String?, String)] {
            let failure = try #require(try refusal(path, keys: keys))
            #expect(failure.code == code && failure.kind == .local)
        }
        #expect(try refusal(receipt, audit: folder.path + "/absent")?.code == "FileUnreadable")
    }

    @Test(
        "Wrong arguments are refused before a file is read",
        arguments: [
            [], ["receipt"], ["--keys", "keys.json"], ["one", "two", "--keys", "keys.json"],
            ["receipt", "--keys", "keys.json", "--format", "xml"], ["receipt", "--keys"],
            ["receipt", "--keys", "keys.json", "--key", "x"],
        ])
    func arguments(words: [String]) {
        #expect(throws: (any Error).self) { try ReceiptVerifyCommand.parse(words) }
    }
}
