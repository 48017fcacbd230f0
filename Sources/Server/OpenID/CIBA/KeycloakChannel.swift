import Octets
package import ServerCore
import StrictJSON
import UAF

extension BackchannelAuthentication {
    private static let bodyLimit = 16 * 1_024

    /// The client that stands for Keycloak has the name of its access key, and its ping address is Keycloak's callback.
    ///
    /// Throws ``ServerError/notConfigured`` without such a client, ``ServerError/malformedRequest``, and
    /// ``ServerError/policyViolation`` for a user who cannot be asked.
    package func beginForKeycloak(
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
        _ = try await begin(order, for: user, by: registered, asked, client)
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
                lifetime: settings.backchannelLifetime)
        } catch {
            throw .malformedRequest
        }
    }
}
