package import Octets
package import ServerCore

/// Form that a client sends, with what proves the client.
package struct ClientRequest: Sendable {
    package let fields: OpenIDFields
    package let authorization: Sensitive<String>?
    /// Address of the service as clients call it, the audience of a `private_key_jwt`.
    package let address: String
    package let client: ClientContext
    package let proof: PresentedKeyProof

    package init(
        fields: OpenIDFields, authorization: Sensitive<String>?, address: String, client: ClientContext,
        proofs: [String] = []
    ) {
        proof = PresentedKeyProof(proofs, method: "POST", address: address)
        self.fields = fields
        self.authorization = authorization
        self.address = address
        self.client = client
    }
}
