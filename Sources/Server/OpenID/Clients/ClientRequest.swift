package import Octets
package import ServerCore

/// Form that a client sends, with what proves the client.
package struct ClientRequest: Sendable {
    package let fields: OpenIDFields
    /// Value of `Authorization`; nil without one.
    package let authorization: Sensitive<String>?
    /// Address of the service as clients call it, the audience of a `private_key_jwt`.
    package let address: String
    package let client: ClientContext

    /// Creates a request.
    package init(fields: OpenIDFields, authorization: Sensitive<String>?, address: String, client: ClientContext) {
        self.fields = fields
        self.authorization = authorization
        self.address = address
        self.client = client
    }
}
