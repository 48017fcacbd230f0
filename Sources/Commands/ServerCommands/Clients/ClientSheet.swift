import BackendAPI
import CommandSupport
import OpenID
import ServerCore
import StrictJSON

/// Particulars that a web site has to be told about its client, without anything secret.
struct ClientSheet {
    let client: RegisteredClient
    let issuer: String
    /// File of a secret that was just written.
    let secretFile: String?

    private var discovery: String { issuer + Endpoint.openIDConfiguration.path }
    private var scopes: [String] { ClientDescription.scopes(client).map(\.rawValue) }

    /// Methods of the token endpoint that the client may use (OpenID Connect Core 1.0, 9).
    private var methods: [String] {
        switch client.authentication {
        case .secret: ["client_secret_basic", "client_secret_post"]
        case .privateKey: ["private_key_jwt"]
        case .none: ["none"]
        }
    }

    private var isPKCERequired: Bool {
        client.requiresPKCE || client.authentication == RegisteredClient.Authentication.none
    }

    // MARK: - Output

    var text: TerminalText {
        var lines: [(String, String)] = [("issuer", issuer), ("discovery", discovery), ("client id", client.id.text)]
        if let secretFile { lines.append(("client secret", "in the file \(secretFile)")) }
        lines.append(("token endpoint auth method", methods.joined(separator: " or ")))
        lines += client.redirects.map { ("redirect address", $0.text) }
        lines += client.logoutRedirects.map { ("address after logout", $0.text) }
        lines += [
            ("scopes", scopes.joined(separator: " ")), ("ID token algorithm", client.idTokenAlgorithm.rawValue),
            ("PKCE", isPKCERequired ? "required, with S256" : "S256; without PKCE send a nonce"),
        ]
        let width = lines.map(\.0.count).max() ?? 0
        return TerminalText(
            lines: lines.map { name, value in
                "  \(name)\(String(repeating: " ", count: width - name.count))  \(value)"
            })
    }

    var json: JSONValue {
        .object([
            "issuer": .string(issuer), "discovery": .string(discovery), "clientId": .string(client.id.text),
            "secretFile": secretFile.map { .string($0) }, "tokenEndpointAuthMethods": Self.texts(methods),
            "redirectAddresses": Self.texts(client.redirects.map(\.text)),
            "logoutRedirectAddresses": Self.texts(client.logoutRedirects.map(\.text)),
            "scopes": Self.texts(scopes), "idTokenAlgorithm": .string(client.idTokenAlgorithm.rawValue),
            "pkce": .string(isPKCERequired ? "required" : "or-nonce"),
        ])
    }

    private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

/// Description of a client for programs, without anything secret.
enum ClientDescription {
    static func json(_ client: RegisteredClient, isDisabled: Bool) -> JSONValue {
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
            "requirePushedRequests": .bool(client.requiresPushedRequests), "refresh": .bool(client.mayRefresh),
            "logoutEndsOfflineAccess": .bool(client.endsOfflineAccess),
            "confirmation": .bool(client.mayAskForConfirmation),
            "origins": .array(client.origins.map { .string($0) }), "disabled": .bool(isDisabled),
        ])
    }

    /// Scopes that the client may have, in the order of a token response.
    static func scopes(_ client: RegisteredClient) -> [ScopeName] {
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
