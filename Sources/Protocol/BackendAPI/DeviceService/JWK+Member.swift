import JOSE
import StrictJSON

extension JWK {
    /// Reads a key that stands as a member, as an object or as text (`backend-http-api` 2.3.1).
    static func member(_ value: JSONValue) throws(JSONTypeError) -> JWK {
        let members = try value.objectOrText()
        do throws(JOSEError) {
            return try JWK(.object(members))
        } catch {
            throw JSONTypeError(.invalidForm)
        }
    }
}
