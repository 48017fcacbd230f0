package import OpenID
import ServerCore
package import StrictJSON

/// Description of a client for programs, without anything secret.
package enum ClientDescription {
    package static func json(_ client: RegisteredClient, isDisabled: Bool) -> JSONValue {
        .object([
            "id": .string(client.id.text), "name": .string(client.name),
            "proof": .string(proof(client.authentication)),
            "redirectAddresses": .array(client.redirects.map { .string($0.text) }),
            "logoutRedirectAddresses": .array(client.logoutRedirects.map { .string($0.text) }),
            "logoutAddress": client.logoutAddress.map { .string($0.text) },
            "ciba": delivery(client.backchannel),
            "idTokenAlgorithm": .string(client.idTokenAlgorithm.rawValue),
            "scopes": .array(scopes(client).map { .string($0.rawValue) }),
            "requirePKCE": .bool(client.requiresPKCE),
            "requireDPoP": .bool(client.requiresKeyProof),
            "requirePushedRequests": .bool(client.requiresPushedRequests), "refresh": .bool(client.mayRefresh),
            "logoutEndsOfflineAccess": .bool(client.endsOfflineAccess),
            "confirmation": .bool(client.mayAskForConfirmation),
            "origins": .array(client.origins.map { .string($0) }), "disabled": .bool(isDisabled),
        ])
    }

    /// Scopes that the client may have, in the order of a token response.
    package static func scopes(_ client: RegisteredClient) -> [ScopeName] {
        let permitted = client.permitted(Set(ScopeName.allCases))
        return ScopeName.allCases.filter(permitted.contains)
    }

    private static func proof(_ authentication: RegisteredClient.Authentication) -> String {
        switch authentication {
        case .secret: "secret"
        case .privateKey(.document): "keys"
        case .privateKey(.address(let address)): address.text
        case .none: "none"
        }
    }

    private static func delivery(_ delivery: RegisteredClient.BackchannelDelivery?) -> JSONValue? {
        switch delivery {
        case .poll: .string("poll")
        case .ping(let address): .string("ping \(address.text)")
        case .push(let address): .string("push \(address.text)")
        case nil: nil
        }
    }
}
