import BackendAPI
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService
import WebAuthn

/// Holder of a method of sign-in, at a browser of their own.
struct MethodHolder {
    let stage: EndsStage
    let user: User
    let method: SignInMethod
    private(set) var browser: PageBrowser
    /// Answer that has ended the last sign-in.
    private(set) var last: SocketClient.Answer?

    init(_ method: SignInMethod, of user: User, on stage: EndsStage, _ client: SocketClient) {
        (self.stage, self.user, self.method) = (stage, user, method)
        browser = PageBrowser(client: client)
    }

    /// End of a sign-in: the status of the last answer, and what it tells.
    struct End: Equatable {
        let status: UInt
        let told: String
    }

    /// The end that lets a method in; with a password, to a key.
    var letIn: End {
        if case .password = method { return End(status: 200, told: "1200") }
        return End(status: 303, told: "code")
    }

    /// The end of a method that is too weak for its account.
    var refused: End {
        switch method {
        case .password: End(status: 200, told: "1401")
        case .passkey:
            End(
                status: 200,
                told: """
                    Your account has a stronger way to sign in, and only that one lets you in. After it is removed, a \
                    waiting time passes before this passkey does.
                    """)
        case .key:
            End(
                status: 303,
                told: """
                    unmet_authentication_requirements: This account has a stronger method of sign-in: sign in with that \
                    one.
                    """)
        }
    }

    /// Signs in at the shop by the pages, in a new browser; by a password asks for a key, since it signs in nowhere.
    mutating func signIn() async throws -> End {
        browser = PageBrowser(client: browser.client)
        if case .password = method { return try await askForKey() }
        let path = try await browser.open(stage.site.authorize([:])).location
        let page = try await browser.open(path)
        guard case .passkey = method else { return try await confirm(page, at: path) }
        let form = try await answer(page, at: path)
        return try await end(try await browser.submit(form.fields, of: page, to: path), of: path)
    }

    /// Has the passkey answer the challenge of a new sign-in page.
    mutating func answerPage() async throws -> HeldForm {
        let path = try await browser.open(stage.site.authorize([:])).location
        return try await answer(try await browser.open(path), at: path)
    }

    private mutating func answer(_ page: SocketClient.Answer, at path: String) async throws -> HeldForm {
        guard case .passkey(let authenticator, _) = method else { throw TestServer.Failure.setUp }
        let offer = RequestOffer(challenge: try await challenge(of: page, at: path))
        let answer = try authenticator.assertion(offer, user: user.id.octets)
        return HeldForm(
            browser: browser, page: page, path: path,
            fields: ["action": "passkey", "answer": String(decoding: answer.text, as: UTF8.self)])
    }

    /// Has another authenticator answer the registration that the page of the devices begins.
    mutating func answerDevices() async throws -> HeldForm {
        let page = try await browser.open("/my-devices")
        let offer = CreationOffer(
            challenge: try await challenge(of: page, at: "/my-devices"),
            user: PasskeyUser(handle: user.id.octets, name: "", displayName: ""))
        let answer = try EndsStage.authenticator().registration(offer)
        return HeldForm(
            browser: browser, page: page, path: "/my-devices",
            fields: ["action": "add-passkey", "name": "Key", "answer": String(decoding: answer.text, as: UTF8.self)])
    }

    private mutating func challenge(of page: SocketClient.Answer, at path: String) async throws -> [UInt8] {
        let options = try await browser.submit(["action": "passkey-options"], of: page, to: path)
        return try Base64URL.decode(try options.object.string("challenge"))
    }

    /// Answers the code of a page with the phone.
    private mutating func confirm(_ page: SocketClient.Answer, at path: String) async throws -> End {
        guard case .key(let phone, _) = method else { throw TestServer.Failure.setUp }
        let right = HeldRight(
            kind: .portalOperation, user: user, phone: phone, target: "", text: try stage.lastToken())
        try #require(try await RightUse(client: browser.client, site: stage.site, right: right).holds())
        return try await end(try await browser.submit(["action": "finish"], of: page, to: path), of: path)
    }

    /// Reads the answer that ends a sign-in; the page says itself why a passkey is refused.
    private mutating func end(_ answer: SocketClient.Answer, of path: String) async throws -> End {
        last = answer
        if answer.location.hasPrefix(path) {
            let page = try await browser.open(answer.location)
            let alert = try #require(page.text.firstMatch(of: /role="alert">([^<]+)</)).output.1
            return End(status: page.status, told: String(alert))
        }
        let query = answer.location.split(separator: "?", maxSplits: 1).last ?? ""
        let pairs = Dictionary(
            (FormPairs.read(Array(query.utf8)) ?? []).map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        let told = pairs["error"].map { "\($0): \(pairs["error_description"] ?? "")" }
        return End(status: answer.status, told: told ?? (pairs["code"] == nil ? answer.location : "code"))
    }

    private mutating func askForKey() async throws -> End {
        let form = FormPairs.encode([
            (name: "isiwebuserid", value: user.name.text), (name: "isiwebpasswd", value: EndsStage.password),
        ])
        let login = try await browser.client.send(
            "POST", "/auth/pwd",
            [(name: "Content-Type", value: ServiceClient.form), (name: "Accept", value: "application/json")], body: form
        )
        let request = GetUAFRequest(RegistrationContext(username: user.name))
        let answer = try await browser.client.send(
            "POST", Endpoint.serviceRoot + Endpoint.registrationRequest.path,
            [
                (name: "Cookie", value: String(login.cookie.prefix { $0 != ";" })),
                (name: "Content-Type", value: ServiceClient.uaf), (name: "Accept", value: "application/fido+uaf"),
            ], body: String(decoding: request.body, as: UTF8.self))
        let code = try answer.object.required("statusCode") { value throws(JSONTypeError) in
            try value.asInteger(Int.self)
        }
        return End(status: answer.status, told: String(code))
    }

    /// Takes the own passkey away on the page of the devices.
    mutating func removePasskey() async throws {
        guard case .passkey(_, let id) = method else { throw TestServer.Failure.setUp }
        let page = try await browser.open("/my-devices")
        let answer = try await browser.submit(
            ["action": "remove-passkey", "passkey": id.text], of: page, to: "/my-devices")
        #expect(answer.status == 200)
    }
}

extension EndsStage {
    /// Gives what a passkey leads to, to a new user who has nothing else.
    func givePasskey(_ kind: GivenOut) async throws -> HeldRight {
        let user = try await services.users.add(name: kind.rawValue, externalID: "ext-" + kind.rawValue)
        site.server.clock.advance(by: .seconds(2))
        let method = try await add(.passkey, to: user)
        let stage = self
        return try await overSocket { client in
            var right = HeldRight(kind: kind, user: user, phone: try SyntheticAuthenticator(), target: "")
            var holder = MethodHolder(method, of: user, on: stage, client)
            right.passkey = method
            if kind == .passkeyChallenge {
                right.form = try await holder.answerPage()
                return right
            }
            try #require(try await holder.signIn() == holder.letIn)
            right.provider = holder.browser.cookies[BrowserCookies.providerName]
            right.text = try #require(right.provider)
            if kind == .passkeyOffer { right.form = try await holder.answerDevices() }
            return right
        }
    }
}
