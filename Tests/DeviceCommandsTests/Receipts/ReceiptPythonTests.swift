import Crypto
import Foundation
import JOSE
import Receipts
import StrictJSON
import TestSupport
import Testing

@Suite("The Python of docs/web/back-ends.md verifies receipts, by a library that shares no line with Signet")
struct ReceiptPythonTests {
    private static let isPresent = ["/usr/lib/python3/dist-packages", "/usr/local/lib/python3.13/dist-packages"]
        .contains { FileManager.default.fileExists(atPath: $0 + "/cryptography") }

    @Test("It takes an honest receipt, and refuses a changed text, key and signature", .enabled(if: isPresent))
    func documented() throws {
        let stage = try ReceiptStage()
        let honest = try stage.receipt(stage.claims(stage.content(text: stage.text)))
        #expect(try verdict(honest, stage)?["sub"] == .string("jeff-ext"))
        let plain = try stage.receipt(stage.claims(stage.content(text: nil)))
        #expect(try verdict(plain, stage) != nil)
        let assertion = try stage.assertion(of: stage.text)
        let text = try stage.content(text: "Pay 900 EUR to Änna", assertion: assertion)
        let other = P256.Signing.PrivateKey()
        let key = try stage.content(text: stage.text, publicKey: other.publicKey)
        for forged in [
            try stage.receipt(stage.claims(text)), try stage.receipt(stage.claims(key)),
            try stage.receipt(stage.claims(stage.content(text: stage.text)), by: other),
            try stage.receipt(stage.claims(stage.content(text: stage.text)), type: "JWT"),
        ] {
            #expect(try verdict(forged, stage) == nil)
        }
    }

    /// The claims that the program prints; nil when it refuses the receipt.
    private func verdict(_ receipt: String, _ stage: ReceiptStage) throws -> JSONObject? {
        let folder = try TemporaryFolder()
        let keys = try JSONParser.parse(stage.keys.json)
        let question = JSONWriter.write(.object(["receipt": .string(receipt), "keys": keys]))
        try Data(question).write(to: URL(filePath: folder.path + "/question"))
        try Data().write(to: URL(filePath: folder.path + "/answer"))
        let tests = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            tests.appending(path: "Interop/verify_receipt.py").path(),
            tests.deletingLastPathComponent().appending(path: "docs/web/back-ends.md").path(),
        ]
        // Without assertions, as a site may run it.
        process.environment = ["PATH": "/usr/bin:/bin", "PYTHONOPTIMIZE": "1"]
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.path + "/question"))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.path + "/answer"))
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return try JSONParser.parse(folder.bytes(of: "answer")).asObject()
    }
}
