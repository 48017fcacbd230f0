import Octets
package import StrictJSON

/// Server binding of a response: the server that the client has asked, and the exchange in which it has asked.
///
/// An addition of this project to the final challenge parameters (FIDO UAF Protocol 1.1, 3.1.9), as their member
/// `serverBinding`. Only a server that has announced it (``MessageExtension/serverBindingAnnouncement``) is sent one. It
/// says nothing about TLS, so it is the same on both sides of a proxy that ends TLS; the certificate is the matter of
/// ``ChannelBinding``.
package struct ServerBinding: Hashable, Sendable {
    /// Name that a client has given to one exchange with a server: 16 random bytes.
    package struct ExchangeID: Hashable, Sendable {
        package static let byteCounts = 16...16

        package let octets: [UInt8]

        package init?(_ octets: some Collection<UInt8>) {
            guard Self.byteCounts.contains(octets.count) else { return nil }
            self.octets = Array(octets)
        }

        package init?(base64URL text: String) {
            guard let octets = try? Base64URL.decode(text) else { return nil }
            self.init(octets)
        }

        /// The unpadded base64url text, 22 characters.
        package var base64URL: String { Base64URL.encode(octets) }
    }

    /// Origin of the server: `https://`, the host in lower case, and the port unless it is 443.
    package let origin: String
    /// The exchange; nil for a response to a request that came by another way than the client's own question.
    package let exchange: ExchangeID?

    /// Takes any `https` URL of the server; nil for an address without a readable host.
    package init?(server address: String, exchange: ExchangeID?) {
        guard let origin = Self.origin(of: address) else { return nil }
        self.origin = origin
        self.exchange = exchange
    }

    /// The origin of an `https` URL in the one spelling that is compared; nil for anything else.
    package static func origin(of address: String) -> String? {
        guard let origin = WebOrigin(address) else { return nil }
        return "https://" + origin.host + (origin.port == 443 ? "" : ":\(origin.port)")
    }
}

extension ServerBinding.ExchangeID: OctetIdentifier {}

extension ServerBinding: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        origin = try members.requiredText("origin")
        exchange = try members.optional("exchange", rules: rules)
    }

    package var json: JSONValue { .object(["origin": .string(origin), "exchange": exchange?.json]) }
}

extension OperationHeader {
    package var announcesServerBinding: Bool { extensions.contains { $0.id == .serverBinding } }
}

extension MessageExtension {
    /// Extension of the header of a request by which a server announces that it judges the server binding.
    package static let serverBindingAnnouncement = MessageExtension(
        id: .serverBinding, data: "judged", failIfUnknown: false)
}
