import CommandSupport
import Foundation
import StrictJSON

/// Public client of the backup scenario, with the browser of its user: it keeps the tokens that it got.
final class BackupVisit {
    private static let client = "shop"
    private static let redirect = "http://localhost:8192/callback"
    // The pair of RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    static let settings = """
        fido-uaf:
          dispatchers:
            - { type: link, base-url: "signet://open" }
        openid:
          enabled: true

        """

    private let stage: DemoStage
    private let user: String
    private var accessToken = ""
    private var refreshToken = ""

    init(stage: DemoStage, user: String) {
        self.stage = stage
        self.user = user
    }

    private var issuer: String { stage.server.address + "/oauth2/" }

    private func browser() throws -> ShopVisit {
        let folder = stage.file("browser")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return ShopVisit(shop: issuer, authorityFile: stage.server.authorityFile, folder: folder)
    }

    func join() async throws {
        let outcome = try await stage.server.administer(
            "client add",
            [
                "--reason", "a demonstration", "--name", "Example Shop", "--redirect", Self.redirect, "--public",
                "--refresh",
            ],
            names: [Self.client])
        guard outcome.isDone else { throw CommandFailure.local("ClientFailed", outcome.message) }
    }

    /// Signs the user in by the page of the server and the phone, and keeps the tokens.
    func signIn() async throws {
        let code = try await code()
        let answer = try await token(
            "grant_type=authorization_code&code=\(code)&redirect_uri=\(Self.redirect)&code_verifier=\(Self.verifier)")
        guard answer.status == 200 else { throw failure("the server gave no tokens: \(answer.status)") }
        let tokens = try JSONParser.parse(Array(answer.page.utf8)).asObject()
        accessToken = try tokens.string("access_token")
        refreshToken = try tokens.string("refresh_token")
        guard try await asksForUser() == 200 else { throw failure("the access token is of no use") }
    }

    private func code() async throws -> String {
        let browser = try browser()
        let asked = try await browser.send(
            issuer + "authorize?response_type=code&client_id=\(Self.client)&redirect_uri=\(Self.redirect)&state=s"
                + "&scope=openid%20offline_access&prompt=login&nonce=n&code_challenge_method=S256"
                + "&code_challenge=\(Self.challenge)")
        let confirmed = try await browser.confirm(
            asked.location, with: stage.phone(of: user), pinFile: stage.pinFile)
        let answer = try await browser.follow(confirmed, upTo: Self.redirect)
        let items = URLComponents(string: answer.location)?.queryItems ?? []
        guard let code = items.first(where: { $0.name == "code" })?.value else {
            throw failure("the server gave no code: HTTP \(answer.status)")
        }
        return code
    }

    /// Revokes the tokens, of which both were good before.
    func revoke() async throws -> StoryTeller.Finding {
        guard try await asksForUser() == 200 else { return .bad("the access token was not good before") }
        let answer = try await browser().send(
            issuer + "revoke", form: "client_id=\(Self.client)&token=\(refreshToken)")
        guard answer.status == 200 else { return .bad("the revocation was answered with HTTP \(answer.status)") }
        return try await ended()
    }

    /// Whether both tokens are refused, for the reason that they are not good any more.
    func ended() async throws -> StoryTeller.Finding {
        let user = try await asksForUser()
        let refresh = try await token("grant_type=refresh_token&refresh_token=\(refreshToken)")
        return user == 401 && refresh.status == 400 && refresh.page.contains("\"invalid_grant\"")
            ? .good("The access token gets 401, the refresh token “invalid_grant”.")
            : .bad("the access token gets \(user), the refresh token \(refresh.status)")
    }

    private func asksForUser() async throws -> Int {
        try await browser().send(issuer + "userinfo", headers: ["Authorization: Bearer \(accessToken)"]).status
    }

    private func token(_ form: String) async throws -> ShopVisit.Answer {
        try await browser().send(issuer + "token", form: "client_id=\(Self.client)&" + form)
    }

    private func failure(_ words: String) -> CommandFailure { .local("SiteFailed", words) }
}
