import OpenID
import Testing

@testable import ServerHTTP

@Suite("Forms and queries of web sites are bounded and read strictly")
struct FormFieldsTests {
    @Test("Forty fields are read; forty-one, a field twice and a malformed one are refused")
    func fields() {
        let forty = (0..<40).map { "f\($0)=\($0)" }.joined(separator: "&")
        #expect(FormFields.fields(ofForm: Array(forty.utf8))?["f39"] == "39")
        #expect(FormFields.fields(ofForm: Array((forty + "&f40=1").utf8)) == nil)
        let twice = "client_id=a&redirect_uri=https%3A%2F%2Fshop.example%2F&redirect_uri=https%3A%2F%2Fevil.example%2F"
        #expect(FormFields.fields(ofForm: Array(twice.utf8)) == nil)
        #expect(FormFields.fields(ofQuery: twice) == nil)
        #expect(FormFields.fields(ofQuery: "a=%00") == nil)
    }

    @Test("64 KiB are read, and one octet more is refused")
    func size() {
        let head = "a="
        let longest = head + String(repeating: "x", count: 65_536 - head.utf8.count)
        #expect(FormFields.fields(ofForm: Array(longest.utf8)) != nil)
        #expect(FormFields.fields(ofForm: Array((longest + "x").utf8)) == nil)
    }

    @Test("A query without fields is one, and the fields that only a form may carry are left out")
    func query() {
        #expect(FormFields.fields(ofQuery: nil) != nil)
        let fields = FormFields.fields(ofQuery: "action=logout&state=x", without: ["action"])
        #expect(fields?["action"] == nil)
        #expect(fields?["state"] == "x")
    }
}
