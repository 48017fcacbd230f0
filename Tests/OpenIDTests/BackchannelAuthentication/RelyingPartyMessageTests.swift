import OpenID
import StrictJSON
import Testing

@Suite("Relying-party API: the text of an approval is plain when it is shown")
struct RelyingPartyMessageTests {
    private func message(_ text: String, prompt: String = "true") throws(RelyingPartyRefusal) -> String? {
        let body: JSONObject = ["username": .string("anna"), "channel": .string("app"), "message": .string(text)]
        let members = String(decoding: JSONWriter.write(.object(body)).dropLast(), as: UTF8.self)
        return try ApprovalRequest(body: Array((members + #","prompt":\#(prompt)}"#).utf8)).message
    }

    @Test(
        "Allowed tags are taken out, and a line break is one",
        arguments: [
            ("Pay 10 EUR", "Pay 10 EUR"), ("<html>Pay <b>10</b> EUR</html>", "Pay 10 EUR"),
            ("<html>one<br>two<br/>three</html>", "one\ntwo\nthree"),
            ("<html><em>a</em><i>b</i><strong>c</strong><u>d</u></html>", "abcd"), ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
            ("<html>Müller & Söhne</html>", "Müller & Söhne"), ("<html>a < b</html>x", nil), ("<html></html>", nil),
            ("<html><p>a</p></html>", nil), ("<html><b style=x>a</b></html>", nil), ("<html><B>a</B></html>", nil),
            ("<html><b", nil), ("<html>", nil), ("<b>a</b>", nil), ("<html><html>a</html></html>", nil),
            ("<html><<b>script>a</html>", nil), ("<html><<br>b>x</html>", nil), ("<html>a<b</html>", nil),
        ] as [(String, String?)])
    func markup(text: String, plain: String?) {
        #expect((try? message(text)) == plain)
    }

    @Test("A prompt is a boolean or the text of one, and needs a message", arguments: ["true", #""true""#])
    func prompt(value: String) throws {
        #expect(try message("Pay?", prompt: value) == "Pay?")
        let body = #"{"username":"anna","channel":"app","prompt":\#(value)}"#
        #expect(throws: RelyingPartyRefusal.malformed(member: ["message"])) {
            _ = try ApprovalRequest(body: Array(body.utf8))
        }
    }

    @Test("Another value of a prompt is refused", arguments: [#""yes""#, #""TRUE""#, "1", "null"])
    func wrongPrompt(value: String) {
        #expect(throws: RelyingPartyRefusal.malformed(member: ["prompt"])) { _ = try message("Pay?", prompt: value) }
    }
}
