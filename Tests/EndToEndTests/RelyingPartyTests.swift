import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("A web shop without Signet code signs people in and is paid", .timeLimit(.minutes(5)))
struct RelyingPartyTests {
    @Test("The story is played as it is told, from the first sign-in to the receipt without a server")
    func story() async throws {
        let installation = try Installation()
        let process = try ChildProcess(
            installation.programs.phone, ["demo", "relying-party", "--format", "json"],
            folder: installation.scratch.url, name: "demo")
        let ending = await process.ending()
        #expect(ending.code == 0, "\(ending.complaints)")
        let answer = try JSONParser.parse(ending.output.trimmingCharacters(in: .whitespacesAndNewlines)).asObject()
        #expect(answer["ok"] == .bool(true))
        #expect(
            answer.objects("steps").compactMap { $0.text("name") } == [
                "started", "signed-in-by-code", "paid", "signed-in-by-call", "signed-in-by-library", "receipt-verified",
            ])
    }
}

@Suite("The example shop is small enough to be read, and knows nothing of Signet's protocol")
struct ShopListingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "packaging/shop")

    @Test(
        "The shop has at most 200 lines of text, the sites 40 and 60",
        arguments: [("shop.py", 200), ("site.py", 40), ("library.py", 60)])
    func length(name: String, limit: Int) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        #expect(text.split(separator: "\n").count { !$0.allSatisfy(\.isWhitespace) } <= limit)
    }

    @Test("None names UAF", arguments: ["shop.py", "site.py", "library.py"])
    func words(name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8).lowercased()
        #expect(!text.contains("uaf"))
        #expect(!text.contains("nevisfido"))
    }
}
