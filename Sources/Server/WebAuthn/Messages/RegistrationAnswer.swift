import Octets
import StrictJSON

/// Answer of a browser with a new passkey, read from RegistrationResponseJSON (section 5.1); nothing is proved.
///
/// The members that repeat parts of the attestation object are not read: the object alone is what authenticators sign.
package struct RegistrationAnswer: Hashable, Sendable {
    /// Identifier of the credential, as the browser names it.
    package let id: [UInt8]
    package let clientData: [UInt8]
    package let attestationObject: [UInt8]
    /// Ways to the authenticator, at most 16.
    package let transports: [String]
    /// Whether the key can be found without a name; nil when the client does not say (`credProps`).
    package let isDiscoverable: Bool?

    /// Reads the JSON text; throws `answer` or `clientExtensions`.
    package init(_ text: [UInt8]) throws(PasskeyError) {
        do throws(PasskeyRefusal) {
            try self.init(AnswerEnvelope(text))
        } catch {
            throw PasskeyError(error, in: .registration)
        }
    }

    private init(_ envelope: AnswerEnvelope) throws(PasskeyRefusal) {
        id = envelope.id
        clientData = try envelope.octets("clientDataJSON")
        attestationObject = try envelope.octets("attestationObject")
        do throws(JSONTypeError) {
            transports =
                try envelope.response.optional("transports") { value throws(JSONTypeError) in
                    try value.asArray { name throws(JSONTypeError) in try name.asString(scalarCount: 1...32) }
                } ?? []
        } catch {
            throw .answer
        }
        guard transports.count <= 16 else { throw .answer }
        do throws(JSONTypeError) {
            let properties = try envelope.extensions.optional("credProps") { value throws(JSONTypeError) in
                try value.asObject()
            }
            isDiscoverable = try properties?.optional("rk") { value throws(JSONTypeError) in try value.asBool() }
        } catch {
            throw .clientExtensions
        }
    }
}

/// Members that the answers of both ceremonies have.
struct AnswerEnvelope {
    let id: [UInt8]
    let response: JSONObject
    /// Results of extensions in the client.
    let extensions: JSONObject

    init(_ text: [UInt8]) throws(PasskeyRefusal) {
        guard let members = try? JSONParser.parse(text, limits: .body).asObject() else { throw .answer }
        do throws(JSONTypeError) {
            let name = try members.string("id")
            guard try members.string("rawId").hasSameOctets(as: name),
                try members.string("type").hasSameOctets(as: CredentialDescriptor.type),
                let id = try? Base64URL.decode(name), !id.isEmpty
            else { throw JSONTypeError(.invalidForm) }
            self.id = id
            response = try members.required("response") { value throws(JSONTypeError) in try value.asObject() }
        } catch {
            throw .answer
        }
        do throws(JSONTypeError) {
            extensions = try members.required("clientExtensionResults") { value throws(JSONTypeError) in
                try value.asObject()
            }
        } catch {
            throw .clientExtensions
        }
    }

    func octets(_ name: String) throws(PasskeyRefusal) -> [UInt8] {
        guard let octets = try optionalOctets(name) else { throw .answer }
        return octets
    }

    func optionalOctets(_ name: String) throws(PasskeyRefusal) -> [UInt8]? {
        guard let value = response[name] else { return nil }
        guard case .string(let text) = value, let octets = try? Base64URL.decode(text) else { throw .answer }
        return octets
    }
}
