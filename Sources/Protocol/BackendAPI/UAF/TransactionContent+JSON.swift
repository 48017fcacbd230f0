import Octets
import StrictJSON

extension TransactionContent: JSONCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            contentType: try members.string("contentType"),
            content: try members.required("content") { value throws(JSONTypeError) in try Self.decoded(value) })
    }

    var json: JSONValue {
        .object(["contentType": .string(contentType), "content": .string(Base64URL.encode(content))])
    }

    /// Callers in the field send standard base64 too; what we send on is always base64url.
    private static func decoded(_ value: JSONValue) throws(JSONTypeError) -> [UInt8] {
        let text = try value.asString()
        do throws(Base64Error) {
            return try Base64URL.decode(text, strictness: .lenient)
        } catch {
            throw JSONTypeError(.invalidForm)
        }
    }
}
