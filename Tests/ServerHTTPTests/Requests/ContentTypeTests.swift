import Testing

@testable import ServerHTTP

@Suite("Media types: Content-Type and Accept")
struct ContentTypeTests {
    @Test(
        "A content type is read without regard to case, white space and quotes",
        arguments: [
            "application/json", "Application/JSON", "application/json;charset=UTF-8",
            "application/json ; charset=\"utf-8\"", "application/json;", "application/json; x=y;charset=utf-8",
        ])
    func accepted(header: String) {
        #expect(ContentType(header)?.essence == "application/json")
        #expect(ContentType(header)?.isUTF8 == true)
    }

    @Test(
        "Something that is no media type is refused",
        arguments: ["", "json", "/json", "application/", "a/b/c", "application/json; charset", "a b/c", ";"])
    func refused(header: String) {
        #expect(ContentType(header) == nil)
    }

    @Test("A charset given twice is refused")
    func twice() {
        #expect(ContentType("a/b; charset=utf-8; charset=utf-16") == nil)
    }

    @Test("Another charset is seen", arguments: ["utf-16", "iso-8859-1", "utf-7", ""])
    func otherCharset(charset: String) {
        #expect(ContentType("application/json; charset=\(charset)")?.isUTF8 == false)
    }

    @Test(
        "What is accepted includes the type",
        arguments: [
            [], ["*/*"], ["application/*"], ["application/fido+uaf"], ["Application/FIDO+UAF;q=0.5"],
            ["text/html, application/fido+uaf"], ["text/html", "application/fido+uaf"],
        ])
    func included(headers: [String]) {
        #expect(AcceptedTypes(headers).include("application/fido+uaf"))
    }

    @Test(
        "What is accepted does not include the type",
        arguments: [
            ["text/html"], ["application/json"], ["application/fido+uaf;q=0"], ["*/*; q=0.0"], ["text/*"], [""],
        ])
    func excluded(headers: [String]) {
        #expect(!AcceptedTypes(headers).include("application/fido+uaf"))
    }
}
