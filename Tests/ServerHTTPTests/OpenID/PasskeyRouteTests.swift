import HTTPTypes
import HummingbirdTesting
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Passkeys over the routes of the pages: for the browser that began, by its own forms, as JSON for its script")
struct PasskeyRouteTests {
    private let passkeys = ScriptedPasskeys()

    @Test("Options are JSON even for a browser that asks for a page, without a name and by name")
    func options() async throws {
        let stage = try await PageRouteStage(passkeys: passkeys)
        let token = try await stage.token()
        for (field, asked) in [("", "-"), ("&username=", "-"), ("&username=ada", "ada")] {
            let answer = try await stage.post("action=passkey-options&form_token=\(token)" + field)
            #expect(answer.status == .ok && answer.headers[.contentType]?.hasPrefix("application/json") == true)
            #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.setCookie] == nil)
            #expect(try answer.text("challenge") == "c" && passkeys.calls.last == "options \(asked)")
        }
        let long = "&username=" + String(repeating: "a", count: 129)
        #expect(try await stage.post("action=passkey-options&form_token=\(token)" + long).status == .badRequest)
        #expect(passkeys.calls.count == 3)
    }

    @Test("A passkey that lets in leads back to the client; one that does not leads to the page, which tells why")
    func signIn() async throws {
        let stage = try await PageRouteStage(passkeys: passkeys)
        let body = "action=passkey&form_token=\(try await stage.token())&answer=%7B%22id%22%3A1%7D"
        for refusal in PasskeySignInRefusal.allCases {
            passkeys.become { $0.signIn = .refused(refusal) }
            let answer = try await stage.post(body, query: "?lang=de")
            let page = "\(stage.page)?lang=de&passkey=\(refusal.rawValue)"
            #expect(answer.status == .seeOther && answer.headers[.location] == page)
            #expect(String(buffer: try await stage.get(page).body).hasSuffix(" \(refusal.rawValue)"))
        }
        #expect(String(buffer: try await stage.get(stage.page + "?passkey=%3Cb%3E").body).contains("b>") == false)
        let client = AuthorizationAnswer(.redirect(Sensitive("https://shop.example.com/signed-in?code=1")))
        passkeys.become { $0.signIn = .answered(client) }
        let answer = try await stage.post(body)
        #expect(answer.headers[.location] == "https://shop.example.com/signed-in?code=1")
        #expect(Set(passkeys.calls) == [#"sign-in {"id":1}"#])
    }

    @Test(
        "Another browser, another site and a form without its token ask nothing of a passkey; nor does one without answer"
    )
    func foreign() async throws {
        let stage = try await PageRouteStage(passkeys: passkeys)
        let token = try await stage.token()
        for action in ["passkey-options", "passkey"] {
            let body = "action=\(action)&answer=x&form_token=\(token)"
            #expect(try await stage.post(body, cookie: "__Host-signet-browser=other").status == .notFound)
            #expect(try await stage.post(body, origin: "https://evil.example").status == .forbidden)
            #expect(try await stage.post("action=\(action)&answer=x").status == .forbidden)
        }
        #expect(try await stage.post("action=passkey&form_token=\(token)").status == .badRequest)
        let large = String(repeating: "a", count: 65_536)
        let sent = try await stage.post("action=passkey&form_token=\(token)&answer=\(large)")
        #expect(sent.status == .contentTooLarge && passkeys.calls == [])
    }

    @Test("Without passkeys the actions are unknown ones")
    func off() async throws {
        let stage = try await PageRouteStage()
        let token = try await stage.token()
        for action in ["passkey-options", "passkey"] {
            let answer = try await stage.post("action=\(action)&answer=x&form_token=\(token)")
            #expect(answer.status == .badRequest)
        }
    }

    @Test("On the page of the devices: options, or the way to a fresh sign-in, and what a form changes")
    func devices() async throws {
        let stage = try await PageRouteStage(passkeys: passkeys)
        let id = RegistrationID(from: SeededRandom())
        let options = try await stage.post(toDevices: "action=passkey-options")
        #expect(options.status == .ok && options.headers[.contentType]?.hasPrefix("application/json") == true)
        passkeys.become { $0.isFresh = false }
        let stale = try await stage.post(toDevices: "action=passkey-options")
        #expect(stale.status == .seeOther && stale.headers[.location]?.hasPrefix("/oauth2/authorize") == true)
        for (body, change) in [
            ("add-passkey&name=Key&answer=%7B%7D", PagePasskeyChange.add(Sensitive(Array("{}".utf8)), name: "Key")),
            ("add-passkey&name=Key&answer=", .add(nil, name: "Key")),
            ("rename-passkey&passkey=\(id.text)&name=Key", .rename(id, "Key")),
            ("remove-passkey&passkey=\(id.text)", .remove(id)),
        ] {
            let answer = try await stage.post(toDevices: "action=" + body)
            #expect(
                answer.status == .ok && String(buffer: answer.body) == "changed \(PageDeviceChange.passkey(change))")
        }
        for body in ["add-passkey", "rename-passkey&passkey=\(id.text)", "remove-passkey", "remove-passkey&passkey=x"] {
            #expect(try await stage.post(toDevices: "action=" + body).status == .badRequest, "\(body)")
        }
    }
}
