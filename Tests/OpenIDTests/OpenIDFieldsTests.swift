import OpenID
import Testing

@Suite("Fields of a request to the provider stand once each (RFC 6749, 3.1)")
struct OpenIDFieldsTests {
    @Test("A field is found by its name, and an empty one counts as absent")
    func lookUp() throws {
        let fields = try #require(OpenIDFields([("state", "x"), ("nonce", "")]))
        #expect(fields["state"] == "x")
        #expect(fields["nonce"] == nil)
        #expect(fields["scope"] == nil)
    }

    @Test("A field that stands twice, and too many fields, are refused")
    func refusals() {
        #expect(OpenIDFields([("state", "x"), ("state", "x")]) == nil)
        let many = (0...OpenIDFields.limit).map { (name: "f\($0)", value: "x") }
        #expect(OpenIDFields(many) == nil)
        #expect(OpenIDFields(Array(many.dropLast())) != nil)
    }
}
