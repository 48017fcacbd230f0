import BackendAPI
import ServerCore
import StrictJSON

/// Document of discovery (OpenID Connect Discovery 1.0, 3; RFC 8414, 2).
struct Discovery: Sendable {
    let issuer: String
    let hasPasskeys: Bool

    var document: [UInt8] {
        JSONWriter.write(.object(JSONObject(distinct: endpoints.members + abilities.members)))
    }

    private func address(_ endpoint: Endpoint) -> JSONValue { .string(issuer + endpoint.path) }

    private func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    private var endpoints: JSONObject {
        [
            "issuer": .string(issuer),
            "authorization_endpoint": address(.authorize),
            "token_endpoint": address(.clientToken),
            "userinfo_endpoint": address(.userInformation),
            "jwks_uri": address(.openIDKeySet),
            "pushed_authorization_request_endpoint": address(.pushAuthorization),
            "introspection_endpoint": address(.introspectToken),
            "revocation_endpoint": address(.revokeToken),
            "end_session_endpoint": address(.providerLogout),
            "backchannel_authentication_endpoint": address(.backchannelAuthorize),
        ]
    }

    private var abilities: JSONObject {
        let methods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"]
        return [
            "backchannel_token_delivery_modes_supported": texts(["poll", "ping", "push"]),
            "backchannel_logout_supported": .bool(true),
            "backchannel_logout_session_supported": .bool(true),
            "response_types_supported": texts(["code"]),
            "response_modes_supported": texts(AuthorizationParameters.ResponseMode.allCases.map(\.rawValue)),
            "grant_types_supported": texts([
                "authorization_code", "refresh_token", "urn:openid:params:grant-type:ciba",
            ]),
            "subject_types_supported": texts(["public"]),
            "id_token_signing_alg_values_supported": texts(["ES256", "RS256"]),
            "token_endpoint_auth_methods_supported": texts(methods),
            "token_endpoint_auth_signing_alg_values_supported": texts(["ES256", "RS256"]),
            "dpop_signing_alg_values_supported": texts(["ES256", "RS256"]),
            "code_challenge_methods_supported": texts(["S256"]),
            "scopes_supported": texts(ScopeName.allCases.map(\.rawValue)),
            "acr_values_supported": texts(Assurance.allCases.filter { hasPasskeys || $0.signsTexts }.map(\.rawValue)),
            "claims_supported": texts([
                "iss", "sub", "aud", "azp", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid", "at_hash",
                "name", "given_name", "family_name", "preferred_username", "locale", "email", "email_verified",
                "groups", "signet_receipt",
            ]),
            "prompt_values_supported": texts(AuthorizationParameters.Prompt.allCases.map(\.rawValue)),
            "ui_locales_supported": texts(AuthorizationRequestReader.languages),
            "authorization_response_iss_parameter_supported": .bool(true),
            "request_parameter_supported": .bool(false),
            "request_uri_parameter_supported": .bool(false),
        ]
    }
}
