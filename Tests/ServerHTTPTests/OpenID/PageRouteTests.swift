import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Routes of the pages: for the browser that began, in no frame, from no other site")
struct PageRouteTests {
    @Test("The page opens with a code, and may stand in no frame, no cache and no window of another site")
    func headers() async throws {
        let stage = try await PageRouteStage()
        let page = try await stage.get(stage.page)
        #expect(page.status == .ok && stage.signIns.round == 1)
        #expect(page.headers[values: .cacheControl] == ["no-store"])
        for (name, value) in [
            ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            #expect(page.headers[try #require(HTTPField.Name(name))] == value)
        }
    }

    @Test(
        "The address of the service has a page, with the headers of the others, with and without sign-ins",
        arguments: [true, false])
    func front(hasPages: Bool) async throws {
        let stage = try await PageRouteStage(hasPages: hasPages)
        let page = try await stage.get("/")
        #expect(page.status == .ok && String(buffer: page.body) == "front \(hasPages)")
        #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
        #expect(page.headers[.contentSecurityPolicy] == PageAnswer.policy)
        #expect(page.headers[.cacheControl] == "no-store" && page.headers[.server] == nil)
        #expect(page.headers[try #require(HTTPField.Name("X-Frame-Options"))] == "DENY")
        #expect(try await stage.get("/assets/signet.css", accept: "text/css").status == .ok)
        #expect(try await stage.get("/my-devices").status == (hasPages ? .seeOther : .notFound))
        #expect(try await stage.get("/", accept: "application/json").status == .notAcceptable)
        #expect(try await stage.get("/nothing", accept: "application/json").status == .notFound)
    }

    @Test(
        "Page, state, code and end are not there without the cookie, with another one, and with two",
        arguments: ["", "__Host-signet-browser=other", "two"])
    func otherBrowser(cookie: String) async throws {
        let stage = try await PageRouteStage()
        let token = try await stage.token()
        let own = "__Host-signet-browser=\(ScriptedSignIns.cookie)"
        let sent = cookie == "two" ? "\(own); \(own)" : cookie
        stage.signIns.become(try stage.confirmed())
        let id = stage.signIns.id.text
        for path in [stage.page, "/sign-in-status/\(id)", "/sign-in-code/\(id)?round=1"] {
            #expect(try await stage.get(path, cookie: sent).status == .notFound, "\(path)")
        }
        for action in ["finish", "cancel", "code"] {
            let answer = try await stage.post("action=\(action)&form_token=\(token)", cookie: sent)
            #expect(answer.status == .notFound, "\(action)")
        }
        #expect(stage.signIns.codes == 0)
    }

    @Test("A post of another site, without a token or with another session's is refused")
    func crossSite() async throws {
        let stage = try await PageRouteStage()
        let token = try await stage.token()
        let foreign = FormToken(cookie: Sensitive(ScriptedSignIns.cookie), session: "other")?.text ?? ""
        for (body, origin) in [
            ("action=code&form_token=\(token)", "https://evil.example"), ("action=code&form_token=\(token)", "null"),
            ("action=code", nil), ("action=code&form_token=\(foreign)", nil),
        ] {
            #expect(try await stage.post(body, origin: origin).status == .forbidden)
        }
        #expect(stage.signIns.round == 1)
        let own = try await stage.post("action=code&form_token=\(token)", origin: "https://server.example")
        #expect(own.status == .seeOther && own.headers[.location] == stage.page && stage.signIns.round == 2)
    }

    @Test("The form with the user name begins no code, and gives way to the page once the phone has confirmed")
    func usernameForm() async throws {
        let stage = try await PageRouteStage()
        let form = stage.page + "?lang=de&view=push"
        let first = try await stage.get(form)
        #expect(String(buffer: first.body) == "username" && stage.signIns.round == 0)
        for query in ["", "?view=", "?view=code"] {
            let page = try await stage.get(stage.page + query)
            #expect(String(buffer: page.body).hasPrefix("sign-in "), "\(query)")
        }
        let second = try await stage.get(form)
        #expect(String(buffer: second.body) == "username" && stage.signIns.round == 1)
        #expect(try await stage.get(form, cookie: "").status == .notFound)
        stage.signIns.become(try stage.confirmed())
        let third = try await stage.get(form)
        #expect(String(buffer: third.body).hasPrefix("sign-in "))
    }

    @Test("A form of the page in a chosen language leads back to that language, and never to one that is none")
    func chosenLanguage() async throws {
        let stage = try await PageRouteStage()
        let body = "action=code&form_token=\(try await stage.token())"
        for (query, end) in [("?lang=de", "?lang=de"), ("?lang=xx", ""), ("?lang=", ""), ("", "")] {
            let answer = try await stage.post(body, query: query)
            #expect(answer.status == .seeOther && answer.headers[.location] == stage.page + end, "\(query)")
        }
    }

    @Test("The picture is for the round now; an earlier one, a later one and none are not there")
    func rounds() async throws {
        let stage = try await PageRouteStage()
        let token = try await stage.token()
        let code = "/sign-in-code/\(stage.signIns.id.text)?round="
        let first = try await stage.get(code + "1", accept: "image/png")
        #expect(first.status == .ok && Array(first.body.readableBytesView) == [1, 2, 3])
        _ = try await stage.post("action=code&form_token=\(token)")
        #expect(try await stage.get(code + "1", accept: "image/png").status == .notFound)
        #expect(try await stage.get(code + "2", accept: "image/png").status == .ok)
        #expect(try await stage.get(code + "3", accept: "image/png").status == .notFound)
        #expect(try await stage.get(code, accept: "image/png").status == .badRequest)
    }

    @Test("The script renews the code, and after a phone has taken one it does not")
    func renewal() async throws {
        let stage = try await PageRouteStage()
        let body = "action=renew&form_token=\(try await stage.token())"
        let status = "/sign-in-status/\(stage.signIns.id.text)?wait=0"
        let first = try await stage.get(status, accept: "application/json")
        #expect(
            try first.text("state") == "waiting" && first.number("renewsIn") == 45 && first.number("expiresIn") == 90)
        stage.clock.advance(by: .milliseconds(1))
        #expect(try await stage.get(status, accept: "application/json").number("renewsIn") == 45)
        stage.clock.advance(by: .milliseconds(44_999))
        #expect(try await stage.get(status, accept: "application/json").number("renewsIn") == 0)
        #expect(try await stage.post(body).status == .seeOther && stage.signIns.round == 2)
        stage.signIns.become(.expired)  // The laptop has slept.
        #expect(try await stage.post(body).status == .seeOther && stage.signIns.round == 3)
        for state in [ConfirmationState.shown, .denied(isReported: false), try stage.confirmed()] {
            stage.signIns.become(state)
            #expect(try await stage.post(body).status == .seeOther && stage.signIns.round == 3, "\(state)")
        }
    }

    @Test("Without a script a refresh shows the next code when it is due, not before")
    func refresh() async throws {
        let stage = try await PageRouteStage()
        for (passed, round) in [(0, 1), (44, 1), (1, 2), (44, 2), (1, 3)] {
            stage.clock.advance(by: .seconds(passed))
            #expect(try await stage.get(stage.page).status == .ok && stage.signIns.round == round, "\(passed)")
        }
        stage.signIns.become(.shown)
        stage.clock.advance(by: .seconds(45))
        #expect(try await stage.get(stage.page).status == .ok && stage.signIns.round == 3)
    }

    @Test("The end before the confirmation is refused; after it, of two at a time one gets the code")
    func finish() async throws {
        let stage = try await PageRouteStage()
        let token = try await stage.token()
        let body = "action=finish&form_token=\(token)"
        #expect(try await stage.post(body).status == .forbidden)
        stage.signIns.become(try stage.confirmed())
        async let one = stage.post(body)
        async let other = stage.post(body)
        let answers = try await [one, other]
        #expect(answers.count { $0.status == .seeOther } == 1)
        #expect(answers.compactMap { $0.headers[.location] } == ["https://shop.example.com/signed-in?code=1"])
        #expect(stage.signIns.codes == 1)
    }

    @Test("The state is read by the origins of the client with credentials, and by no other origin")
    func crossOrigin() async throws {
        let stage = try await PageRouteStage()
        _ = try await stage.token()
        let path = "/sign-in-status/\(stage.signIns.id.text)?wait=0"
        let own = try await stage.get(path, accept: "application/json", origin: "https://shop.example.com")
        #expect(try own.text("state") == "waiting")
        #expect(own.headers[.accessControlAllowOrigin] == "https://shop.example.com")
        #expect(own.headers[.accessControlAllowCredentials] == "true")
        for origin in ["https://evil.example", "https://shop.example.com.evil.example", "null"] {
            let answer = try await stage.get(path, accept: "application/json", origin: origin)
            #expect(answer.status == .forbidden && answer.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test("Names of sessions that are none are not there", arguments: ["..%2Fx", "%00", "x", "AAAAAAAAAAAAAAAAAAAAAA"])
    func paths(name: String) async throws {
        let stage = try await PageRouteStage()
        #expect(try await stage.get("/sign-in/\(name)").status == .notFound)
    }

    @Test("Files are sent once and answered 304 afterwards")
    func assets() async throws {
        let stage = try await PageRouteStage()
        for path in ["/assets/signet.css", "/assets/sign-in.js", "/signet-web.js"] {
            let file = try await stage.get(path, accept: "*/*")
            #expect(file.status == .ok && file.headers[.cacheControl] == "public, max-age=300")
            let tag = try #require(file.headers[.eTag])
            #expect(try await stage.get(path, accept: "*/*", knownTag: tag).status == .notModified)
        }
    }

    @Test("Of 20,001 open pages the memory holds 20,000 codes, and the one renewed longest ago has made room")
    func bounded() throws {
        let codes = ShownCodes()
        let random = SeededRandom()
        let (now, end) = (Timestamp(seconds: 1), Timestamp(seconds: 2))
        let ids = (0...20_000).map { _ in CeremonyID(from: random) }
        func show(_ id: CeremonyID, round: Int) {
            codes.insert(
                BegunConfirmation(id: id, link: nil, digits: nil, expiresAt: end), round: round, insteadOf: id)
        }
        for id in ids.dropLast() { show(id, round: 1) }
        show(ids[0], round: 2)
        show(ids[20_000], round: 1)
        #expect(codes.count == 20_000)
        #expect(codes.begun(ids[1], round: 1, at: now) == nil)
        #expect(codes.begun(ids[0], round: 2, at: now) != nil)
        #expect(codes.begun(ids[0], round: 1, at: now) == nil, "another process has renewed it")
        #expect(codes.begun(ids[20_000], round: 1, at: now)?.id == ids.last)
        #expect(codes.begun(ids[20_000], round: 1, at: end) == nil)
    }
}
