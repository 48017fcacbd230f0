package import BackendAPI
import StrictJSON

/// Body of `PATCH /api/v1/authenticators/{authenticatorId}`.
package struct AuthenticatorChange: Sendable, Hashable {
    /// `name`: 1 to 64 characters without control characters.
    package let name: DeviceName

    /// Reads a body; throws ``RelyingPartyRefusal/malformed(member:)``.
    package init(body: [UInt8]) throws(RelyingPartyRefusal) {
        name = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> DeviceName in
            guard let text = try RelyingPartyBody.text("name", atMost: 64, in: members) else {
                throw JSONTypeError(path: ["name"], .missing)
            }
            guard let name = DeviceName(text) else { throw JSONTypeError(path: ["name"], .invalidForm) }
            return name
        }
    }
}
