import Testing
import WebAuthn

@Suite("Client data are read by two readers that have to agree")
struct CollectedClientDataTests {
    private static let head = #"{"type":"t","challenge":"c","origin":"o""#

    @Test(
        "The serialization of the standard is read",
        arguments: ["}", #","crossOrigin":false}"#, #","crossOrigin":true,"topOrigin":"p"}"#, #","x":{"type":"u"}}"#])
    func sound(tail: String) throws {
        let client = try CollectedClientData(Array((Self.head + tail).utf8))
        #expect(client.type == "t" && client.challenge == "c" && client.origin == "o")
    }

    @Test("Characters that need an escape have the one of the standard")
    func escapes() throws {
        let text = #"{"type":"t","challenge":"c","origin":"a\"b\\c\u0001\u001fé/"}"#
        #expect(try CollectedClientData(Array(text.utf8)).origin == "a\"b\\c\u{1}\u{1F}é/")
        for spelling in [#"\u0061"#, #"\/"#, #"\u001F"#, #"\n"#] {
            refuse(#"{"type":"t","challenge":"c","origin":"\#(spelling)"}"#)
        }
    }

    @Test(
        "Another spelling of the same members is refused",
        arguments: [
            #"{"challenge":"c","type":"t","origin":"o"}"#, #" {"type":"t","challenge":"c","origin":"o"}"#,
            #"{"type": "t","challenge":"c","origin":"o"}"#, #"{"type":"t","challenge":"c","origin":"o" }"#,
            #"{"type":"t","challenge":"c","origin":"o","x":1,"crossOrigin":false}"#,
            #"{"type":"t","challenge":"c","origin":"o","crossOrigin":true,"x":1,"topOrigin":"p"}"#,
            #"{"type":"t","challenge":"c","origin":"o","crossOrigin":false,"topOrigin":"p"}"#,
            #"{"type":"t","challenge":"c","origin":"o","topOrigin":"p"}"#,
            #"{"\u0074ype":"t","challenge":"c","origin":"o"}"#,
        ])
    func otherSpelling(text: String) { refuse(text) }

    @Test(
        "Text that is no client data is refused",
        arguments: [
            "", "{}", "[]", #"{"type":"t","challenge":"c"}"#, #"{"type":"t","challenge":1,"origin":"o"}"#,
            #"{"type":"t","challenge":"c","origin":"o","crossOrigin":"false"}"#,
            #"{"type":"t","challenge":"c","origin":"o","crossOrigin":null}"#,
            #"{"type":"t","challenge":"c","origin":"o","crossOrigin":true,"topOrigin":1}"#,
            #"{"type":"t","challenge":"c","origin":"o","origin":"p"}"#,
            #"{"type":"t","challenge":"c","origin":"o"}{}"#,
            "\u{FEFF}{\"type\":\"t\",\"challenge\":\"c\",\"origin\":\"o\"}",
        ])
    func other(text: String) { refuse(text) }

    private func refuse(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(throws: PasskeyRefusal.clientData, sourceLocation: location) {
            try CollectedClientData(Array(text.utf8))
        }
    }
}
