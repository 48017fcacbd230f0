import Octets
import ServerCore
import StrictJSON

/// Reader of the fields of an authorization request (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636, 4.3; RFC 9396).
struct AuthorizationRequestReader: Sendable {
    /// Languages of the pages, by their first subtag.
    static let languages = ["de", "en", "fr", "it"]

    let client: RegisteredClient
    /// Whether the client itself sent the request, so that no browser could change it.
    let isPushed: Bool

    /// The address to go back to: one of those registered, see ``RedirectAddress/named(_:)``.
    ///
    /// Throws ``OpenIDRefusal`` with the field `redirect_uri`: then the browser goes nowhere.
    func redirect(in fields: OpenIDFields) throws(OpenIDRefusal) -> RedirectAddress {
        guard let text = fields["redirect_uri"],
            let redirect = client.redirects.lazy.compactMap({ $0.named(text) }).first
        else { throw OpenIDRefusal(.invalidRequest, field: "redirect_uri") }
        return redirect
    }

    /// Everything else; throws ``OpenIDRefusal`` with the field that is wrong.
    func parameters(
        in fields: OpenIDFields, redirect: RedirectAddress
    ) throws(OpenIDRefusal) -> AuthorizationParameters {
        guard fields["request"] == nil else { throw OpenIDRefusal(.requestNotSupported, field: "request") }
        switch fields["response_type"] {
        case "code": break
        case nil: throw OpenIDRefusal(.invalidRequest, field: "response_type")
        default: throw OpenIDRefusal(.unsupportedResponseType, field: "response_type")
        }
        let mode = try Self.responseMode(in: fields, to: redirect)
        let challenge = try codeChallenge(in: fields)
        var parameters = AuthorizationParameters(client: client.id, redirect: redirect, codeChallenge: challenge)
        parameters.key = try key(in: fields)
        parameters.responseMode = mode
        parameters.state = try Self.state(in: fields)
        parameters.nonce = try Self.printable("nonce", in: fields, atMost: 512)
        parameters.scopes = try scopes(in: fields)
        parameters.prompts = try Self.prompts(in: fields)
        parameters.maximumAge = try Self.maximumAge(in: fields)
        parameters.loginHint = try Self.loginHint(in: fields)
        parameters.assurance = Self.assurance(in: fields)
        parameters.text = try text(in: fields)
        parameters.language = Self.language(in: fields)
        return parameters
    }

    /// The challenge of PKCE; nil where the client may do without one and its request has a nonce (RFC 9700, 2.1.1).
    private func codeChallenge(in fields: OpenIDFields) throws(OpenIDRefusal) -> [UInt8]? {
        let (text, method) = (fields["code_challenge"], fields["code_challenge_method"])
        guard text != nil || method != nil else {
            try requireNonceInPlaceOfChallenge(fields)
            return nil
        }
        guard let challenge = text.flatMap(CodeVerifier.challenge) else {
            throw OpenIDRefusal(
                .invalidRequest, field: "code_challenge",
                advice: "code_challenge has to be the base64url of a SHA-256: 43 characters without padding.")
        }
        // Without a method it would be `plain` (RFC 7636, 4.3), which gives the verifier to every reader of the request.
        guard method == "S256" else {
            throw OpenIDRefusal(
                .invalidRequest, field: "code_challenge_method",
                advice:
                    "code_challenge_method has to be S256; plain, the default without this field, is not supported.")
        }
        return challenge
    }

    /// Key of `dpop_jkt` (RFC 9449, 10).
    private func key(in fields: OpenIDFields) throws(OpenIDRefusal) -> ClientKeyThumbprint? {
        guard let text = fields["dpop_jkt"] else { return nil }
        guard let key = (try? Base64URL.decode(text)).flatMap({ ClientKeyThumbprint(stored: $0) }) else {
            throw OpenIDRefusal(
                .invalidRequest, field: "dpop_jkt",
                advice: "dpop_jkt has to be the thumbprint of a key: the base64url of a SHA-256, 43 characters.")
        }
        return key
    }

    private func requireNonceInPlaceOfChallenge(_ fields: OpenIDFields) throws(OpenIDRefusal) {
        guard client.authentication != RegisteredClient.Authentication.none else {
            throw OpenIDRefusal(
                .invalidRequest, field: "code_challenge",
                advice:
                    "A client without a secret or key has to send PKCE: code_challenge and code_challenge_method=S256.")
        }
        guard !client.requiresPKCE else {
            throw OpenIDRefusal(
                .invalidRequest, field: "code_challenge",
                advice: "This client is registered with PKCE: send code_challenge and code_challenge_method=S256.")
        }
        guard fields["nonce"] != nil else {
            throw OpenIDRefusal(
                .invalidRequest, field: "nonce",
                advice: "Switch PKCE (S256) on in the client, or send a nonce: a request needs one of the two.")
        }
    }

    /// Mode of the answer; an application takes an address by its scheme, and no form.
    private static func responseMode(
        in fields: OpenIDFields, to redirect: RedirectAddress
    ) throws(OpenIDRefusal) -> AuthorizationParameters.ResponseMode {
        let text = fields["response_mode"] ?? AuthorizationParameters.ResponseMode.query.rawValue
        guard let mode = AuthorizationParameters.ResponseMode(rawValue: text), mode == .query || !redirect.isPrivate
        else { throw OpenIDRefusal(.invalidRequest, field: "response_mode") }
        return mode
    }

    func addressOfRefused(_ fields: OpenIDFields, _ redirect: RedirectAddress) -> AnswerAddress {
        AnswerAddress(
            client: client.id, redirect: redirect, mode: (try? Self.responseMode(in: fields, to: redirect)) ?? .query,
            state: Self.stateOfRefused(fields))
    }

    /// `state` as it came; also for the answer to a request that is wrong elsewhere.
    static func state(in fields: OpenIDFields) throws(OpenIDRefusal) -> String? {
        try printable("state", in: fields, atMost: stateLimit)
    }

    /// `state` for the answer to a refused request: also one that is longer than what is kept, as the client knows its
    /// request by it (RFC 6749, 4.1.2.1); nil for one that could not stand in an address.
    private static func stateOfRefused(_ fields: OpenIDFields) -> String? {
        try? printable("state", in: fields, atMost: stateLimit * 2)
    }

    /// Octets of the longest `state`: frameworks that keep their own state in it, encrypted, need some 3,000.
    private static let stateLimit = 4_096

    private static func printable(
        _ name: String, in fields: OpenIDFields, atMost limit: Int
    ) throws(OpenIDRefusal) -> String? {
        guard let text = fields[name] else { return nil }
        guard text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw OpenIDRefusal(.invalidRequest, field: name)
        }
        return text
    }

    /// Known scopes of a text; others are ignored (OpenID Connect Core 1.0, 3.1.2.1).
    static func scopes(in text: String) -> Set<ScopeName> {
        Set(text.split(separator: " ").compactMap { ScopeName(rawValue: String($0)) })
    }

    private func scopes(in fields: OpenIDFields) throws(OpenIDRefusal) -> Set<ScopeName> {
        let scopes = Self.scopes(in: fields["scope"] ?? "")
        guard scopes.contains(.openID) else { throw OpenIDRefusal(.invalidScope, field: "scope") }
        return client.permitted(scopes)
    }

    private static func prompts(
        in fields: OpenIDFields
    ) throws(OpenIDRefusal) -> Set<AuthorizationParameters.Prompt> {
        let words = (fields["prompt"] ?? "").split(separator: " ")
        let prompts = words.compactMap { AuthorizationParameters.Prompt(rawValue: String($0)) }
        guard prompts.count == words.count, !prompts.contains(.none) || prompts.count == 1 else {
            throw OpenIDRefusal(.invalidRequest, field: "prompt")
        }
        return Set(prompts)
    }

    private static func maximumAge(in fields: OpenIDFields) throws(OpenIDRefusal) -> Duration? {
        guard let text = fields["max_age"] else { return nil }
        guard text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text)
        else { throw OpenIDRefusal(.invalidRequest, field: "max_age") }
        return .seconds(seconds)
    }

    private static func loginHint(in fields: OpenIDFields) throws(OpenIDRefusal) -> String? {
        guard let text = fields["login_hint"] else { return nil }
        guard text.unicodeScalars.count <= 128, ShownText.isVisible(text) else {
            throw OpenIDRefusal(.invalidRequest, field: "login_hint")
        }
        return text
    }

    /// Known values of `acr_values`, each once; others are ignored, as it is a wish (OpenID Connect Core 1.0, 3.1.2.1).
    private static func assurance(in fields: OpenIDFields) -> [Assurance] {
        var values: [Assurance] = []
        for value in (fields["acr_values"] ?? "").split(separator: " ").compactMap({ Assurance(rawValue: String($0)) })
        where !values.contains(value) { values.append(value) }
        return values
    }

    private static func language(in fields: OpenIDFields) -> String? {
        let wanted = (fields["ui_locales"] ?? "").split(separator: " ").map { $0.prefix { $0 != "-" }.lowercased() }
        return wanted.first { languages.contains($0) }
    }

    // MARK: - Text to confirm

    private func text(in fields: OpenIDFields) throws(OpenIDRefusal) -> String? {
        guard let details = fields["authorization_details"] else { return nil }
        // In the name of a client without a proof any attacker could push a text.
        guard isPushed, client.mayAskForConfirmation, client.authentication != RegisteredClient.Authentication.none,
            let text = Self.text(inDetails: details)
        else {
            throw OpenIDRefusal(.invalidAuthorizationDetails, field: "authorization_details")
        }
        return text
    }

    /// The text of the only entry of `authorization_details` (RFC 9396, 2), type `signet_confirmation`.
    private static func text(inDetails details: String) -> String? {
        let limits = JSONLimits(byteCount: 16 * 1024, depth: 3, elementCount: 8)
        guard let entries = try? JSONParser.parse(Array(details.utf8), limits: limits).asArray(), entries.count == 1,
            let entry = try? entries.first?.asObject(), entry.members.count == 2,
            entry["type"] == .string("signet_confirmation"), case .string(let text) = entry["text"],
            (1...4_096).contains(text.utf8.count), ShownText.isLayout(text)
        else { return nil }
        return text
    }
}
