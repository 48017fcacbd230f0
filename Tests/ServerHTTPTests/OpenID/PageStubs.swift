import Octets
import OpenID
import ServerCore
import SignInPages
import Synchronization
import TestSupport
import UAF

/// Sign-ins of one browser, without a phone: a test says what the phone does.
final class ScriptedSignIns: SignInService, SignInStarting {
    private struct Scene {
        var entry: OpenSignIn
        var state = ConfirmationState.waiting
        var codes = 0
    }

    static let cookie = "browser-cookie-of-32-random-octets"

    private let clock: ManualClock
    private let random = SeededRandom(seed: 9)
    private let scene: Mutex<Scene>

    init(_ client: RegisteredClient, redirect: RedirectAddress, clock: ManualClock) {
        self.clock = clock
        let parameters = AuthorizationParameters(
            client: client.id, redirect: redirect, codeChallenge: [UInt8](repeating: 1, count: 32))
        let session = AuthorizationSession(
            id: AuthorizationSessionID(from: random), browser: BrowserHash(of: Self.cookie.utf8),
            parameters: parameters, createdAt: clock.now(), expiresAt: clock.now() + .seconds(600))
        scene = Mutex(Scene(entry: OpenSignIn(session: session, client: client)))
    }

    var id: AuthorizationSessionID { scene.withLock { $0.entry.session.id } }
    var round: Int { scene.withLock { $0.entry.session.round } }
    /// Answers that were handed out.
    var codes: Int { scene.withLock { $0.codes } }

    /// Does what a phone would lead to.
    func become(_ state: ConfirmationState) { scene.withLock { $0.state = state } }

    func session(
        _ id: AuthorizationSessionID, browser: BrowserCookies
    ) async throws(ServerError) -> OpenSignIn? {
        scene.withLock { scene in
            guard let cookie = browser.browser, scene.entry.session.id == id,
                scene.entry.session.browser == BrowserHash(of: cookie.reveal().utf8),
                scene.entry.session.stage != .finished
            else { return nil }
            return scene.entry
        }
    }

    func begin(
        _ channel: SignInChannel, in session: OpenSignIn, client: ClientContext
    ) async throws(ServerError) -> BegunConfirmation {
        var begun = BegunConfirmation(
            id: CeremonyID(from: random), link: LinkForPhone(text: "signet://open?x=1", picture: [1, 2, 3]),
            digits: nil, expiresAt: clock.now() + .seconds(90))
        begun.renewsAt = clock.now() + .seconds(45)
        let ceremony = begun.id
        move(session.session) { session in
            session.stage = .confirming(ceremony)
            session.round += 1
        }
        return begun
    }

    func state(
        of session: OpenSignIn, unlike known: ConfirmationState?, atMost wait: Duration
    ) async throws(ServerError) -> ConfirmationState { scene.withLock { $0.state } }

    func finish(_ session: OpenSignIn, client: ClientContext) async throws(ServerError) -> AuthorizationAnswer {
        try end(mustBeConfirmed: true, answer: "code=1")
    }

    func cancel(_ session: OpenSignIn, client: ClientContext) async throws(ServerError) -> AuthorizationAnswer {
        try end(mustBeConfirmed: false, answer: "error=access_denied")
    }

    private func end(mustBeConfirmed: Bool, answer: String) throws(ServerError) -> AuthorizationAnswer {
        let address = scene.withLock { scene -> String? in
            guard scene.entry.session.stage != .finished else { return nil }
            if mustBeConfirmed {
                guard case .confirmed = scene.state else { return nil }
            }
            var session = scene.entry.session
            session.stage = .finished
            scene.entry = OpenSignIn(session: session, client: scene.entry.client)
            scene.codes += 1
            return "\(session.parameters.redirect.text)?\(answer)"
        }
        guard let address else { throw .forbidden }
        return AuthorizationAnswer(.redirect(Sensitive(address)))
    }

    private func move(_ known: AuthorizationSession, _ change: (inout AuthorizationSession) -> Void) {
        scene.withLock { scene in
            var session = scene.entry.session
            change(&session)
            scene.entry = OpenSignIn(session: session, client: scene.entry.client)
        }
    }
}

/// Pages that say what they are, and hold the token of their form.
struct PlainPages: PageService {
    func signInPage(
        _ entry: OpenSignIn, begun: BegunConfirmation?, state: ConfirmationState, refusal: PasskeySignInRefusal?,
        reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        let token = FormToken(cookie: reader.cookies.browser, session: entry.session.id.text)?.text ?? ""
        return PageAnswer(
            html: Array("sign-in \(token)\(refusal.map { " \($0.rawValue)" } ?? "")".utf8), language: .english,
            formTarget: entry.session.parameters.redirect.origin)
    }

    func usernamePage(_ entry: OpenSignIn, reader: PageReader) -> PageAnswer {
        PageAnswer(html: Array("username".utf8), language: .english)
    }

    func devicesPage(of user: User, reader: PageReader) async throws(ServerError) -> PageAnswer {
        PageAnswer(html: Array("devices".utf8), language: .english)
    }

    func changeDevices(
        _ change: PageDeviceChange, of session: BrowserSession, client: ClientContext, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        PageAnswer(html: Array("changed \(change)".utf8), language: .english)
    }

    func personalData(
        of session: BrowserSession, reader: PageReader, isFile: Bool
    ) async throws(ServerError) -> PersonAnswer {
        .page(PageAnswer(html: Array("data".utf8), language: .english))
    }

    var hasRecovery: Bool { true }
    var passkeys: (any PasskeyService)?
    /// User of every browser with a cookie of the provider.
    var holder: PageVisitor?

    func recoverPage(reader: PageReader) async throws(ServerError) -> PageAnswer {
        PageAnswer(html: Array("recover".utf8), language: .english)
    }

    func recover(_ step: PageRecoveryStep, reader: PageReader) async throws(ServerError) -> RecoveryAnswer {
        .page(PageAnswer(html: Array("recovered".utf8), language: .english))
    }

    func visitor(_ cookies: BrowserCookies) async throws(ServerError) -> PageVisitor? {
        cookies.provider == nil ? nil : holder
    }

    func devicesSignIn(isFresh: Bool) -> String { "/oauth2/authorize?client_id=my-devices" }

    func frontPage(hasDevices: Bool, reader: PageReader) -> PageAnswer {
        PageAnswer(html: Array("front \(hasDevices)".utf8), language: .english)
    }

    func refusalPage(_ refusal: PageRefusal, reader: PageReader) -> PageAnswer {
        PageAnswer(status: 404, html: Array(refusal.rawValue.utf8), language: .english)
    }

    func answerPage(_ form: AnswerForm, reader: PageReader) -> PageAnswer {
        PageAnswer(html: Array("answer".utf8), language: .english)
    }

    func logoutPage(_ page: AuthorizationAnswerPage, reader: PageReader) -> PageAnswer {
        PageAnswer(html: Array("logout".utf8), language: .english)
    }
}
