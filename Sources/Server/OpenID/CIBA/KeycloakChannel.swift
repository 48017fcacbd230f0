import BackendAPI
import Octets
package import ServerCore
import StrictJSON
import UAF

/// Channel by which Keycloak has users sign in on their phones, from its public documentation and source.
///
/// Not confirmed against a running Keycloak. Keycloak is told the end at its callback (`SUCCEED`, `UNAUTHORIZED`, `CANCELLED`).
package struct KeycloakChannel: Sendable {
    private static let bodyLimit = 16 * 1_024

    let clients: any ClientRegistry
    let users: any UserRepository
    let backchannel: BackchannelAuthentication

    /// Begins a request: `binding_message`, `login_hint`, `scope`, `consent_required`, `acr_values`, JSON of at most 16 KiB,
    /// with the bearer token that names the request at Keycloak.
    ///
    /// The client that stands for Keycloak has the name of its access key, and its ping address is Keycloak's callback.
    /// Throws ``ServerError/notConfigured`` without such a client, ``ServerError/malformedRequest``, and
    /// ``ServerError/policyViolation`` for a user who cannot be asked.
    package func begin(
        _ body: [UInt8], accessKey: AccessKeyName, bearer: BackchannelBearer, client: ClientContext
    ) async throws(ServerError) {
        guard let id = ClientID(accessKey.text), let registered = try await clients.client(id),
            case .ping = registered.backchannel
        else { throw .notConfigured }
        let asked = try fields(body, bearer)
        guard case .username(let text) = asked.hint, let name = UserName(text),
            let user = try await users.user(named: name), user.name == name
        else { throw .policyViolation }
        var order = ConfirmationOrder(initiator: .client(id), channel: .push(user, nil))
        order.text = asked.bindingMessage
        order.notification = registered.name
        order.lifetime = asked.lifetime
        order.assurance = asked.assurance.min()
        // The answer has no body, so that Keycloak could show no digits.
        order.linking = ChannelLinkingMethod.none
        _ = try await backchannel.begin(order, for: user, by: registered, asked, client)
    }

    private func fields(_ body: [UInt8], _ bearer: BackchannelBearer) throws(ServerError) -> BackchannelFields {
        let limits = JSONLimits(byteCount: Self.bodyLimit, depth: 8)
        do throws(JSONTypeError) {
            guard let members = try? JSONParser.parse(body, limits: limits).asObject() else {
                throw JSONTypeError(.invalidForm)
            }
            let message = try members.optionalString("binding_message")
            guard message.map(BackchannelFields.isMessage) ?? true else {
                throw JSONTypeError(path: ["binding_message"], .outOfRange)
            }
            _ = try members.optional("consent_required") { value throws(JSONTypeError) in try value.asBool() }
            _ = try members.optionalString("scope")
            return BackchannelFields(
                keycloak: try members.string("login_hint"), bearer: bearer, message: message,
                assurance: BackchannelFields.assurance(try members.optionalString("acr_values")),
                lifetime: backchannel.lifetime)
        } catch {
            throw .malformedRequest
        }
    }
}
