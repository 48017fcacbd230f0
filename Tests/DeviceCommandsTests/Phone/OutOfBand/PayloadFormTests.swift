import CommandSupport
import Testing

@testable import DeviceCommands

@Suite("A payload is recognised in the text that brings it")
struct PayloadFormTests {
    @Test("A JSON document is what a push message brings")
    func document() throws {
        #expect(try PayloadForm(#" {"nma_data":"x"} "#) == .json(#"{"nma_data":"x"}"#))
    }

    @Test("Text without a colon comes from a QR code; the line break of a reader does not count")
    func code() throws {
        #expect(try PayloadForm("eyJubWE\n") == .base64URL("eyJubWE"))
    }

    @Test(
        "A link of the web or of the application brings it as its parameter",
        arguments: [
            "https://link.example.com/open?dispatchTokenResponse=eyJub",
            "signet://open?lang=de&dispatchTokenResponse=eyJub#top",
        ])
    func link(_ text: String) throws {
        #expect(try PayloadForm(text) == .base64URL("eyJub"))
    }

    @Test(
        "A link without the parameter, with an empty one, or with two of them is refused",
        arguments: [
            "https://link.example.com/open", "https://link.example.com/open?dispatchTokenResponse=",
            "https://link.example.com/open?dispatchTokenResponse=a&dispatchTokenResponse=b",
            "https://link.example.com/open?DispatchTokenResponse=a",
        ])
    func foreignLink(_ text: String) {
        #expect(throws: CommandFailure.self) { try PayloadForm(text) }
    }
}
