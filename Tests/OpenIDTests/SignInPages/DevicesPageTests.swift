import BackendAPI
import Foundation
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing
import UAF

@Suite("My devices: own ones only, removed by a fresh confirmation of another one")
struct DevicesPageTests {
    @Test("The page lists the devices of the user and of no other, with names as text")
    func list() async throws {
        let stage = try PageStage()
        _ = try stage.addDevice("<b>Phone</b>")
        let page = try await stage.pages.devicesPage(of: stage.user, reader: stage.reader())
        #expect(page.text.contains("&lt;b&gt;Phone&lt;/b&gt;") && !page.text.contains("<b>Phone"))
        #expect(page.text.contains("ada"))
    }

    @Test("Forms keep the language that was chosen, and name none where none was")
    func chosenLanguage() async throws {
        let stage = try PageStage()
        _ = try stage.addDevice()
        for (language, action) in [(PageLanguage.german, "/my-devices?lang=de"), (nil, "/my-devices")] {
            let page = try await stage.pages.devicesPage(of: stage.user, reader: stage.reader(language: language))
            #expect(page.text.components(separatedBy: "action=\"\(action)\"").count == 3)
        }
    }

    @Test("A device gets another name")
    func rename() async throws {
        let stage = try PageStage()
        let device = try stage.addDevice()
        let page = try await change(stage, .rename(device.target.externalID, "Tablet"), by: [device.registration])
        #expect(page.status == 200)
        #expect(stage.runner.kept.targets.map(\.name.text) == ["Tablet"])
        #expect(stage.runner.kept.audit.map(\.kind) == [.targetModified])
    }

    @Test(
        "Names that are blank, too long, have controls, or are taken are refused",
        arguments: ["  ", "a\u{0}b", "line\nbreak", String(repeating: "a", count: 65), "Other"])
    func refusedName(name: String) async throws {
        let stage = try PageStage()
        let device = try stage.addDevice()
        _ = try stage.addDevice("Other")
        let page = try await change(stage, .rename(device.target.externalID, name), by: [device.registration])
        #expect(page.status == 400)
        #expect(stage.runner.kept.targets.map(\.name.text) == ["Phone", "Other"])
    }

    @Test("A lost phone is removed with its key by a confirmation of another one")
    func remove() async throws {
        let stage = try PageStage()
        let lost = try stage.addDevice("Lost")
        let other = try stage.addDevice("Other")
        let page = try await change(stage, .remove(lost.target.externalID), by: [other.registration])
        #expect(page.status == 200)
        #expect(stage.runner.kept.targets.map(\.id) == [other.target.id])
        #expect(stage.runner.kept.credentials.map(\.registrationID) == [other.registration])
    }

    @Test("A device beside others does not confirm its own removal; the last one does")
    func itself() async throws {
        let stage = try PageStage()
        let phone = try stage.addDevice()
        let other = try stage.addDevice("Other")
        #expect(try await change(stage, .remove(phone.target.externalID), by: [phone.registration]).status == 403)
        #expect(try await change(stage, .remove(other.target.externalID), by: []).status == 403)
        stage.runner.change { state in state.targets.removeAll { $0.id == other.target.id } }
        #expect(try await change(stage, .remove(phone.target.externalID), by: [phone.registration]).status == 200)
    }

    @Test("A confirmation of more than two minutes ago removes nothing")
    func stale() async throws {
        let stage = try PageStage()
        let lost = try stage.addDevice("Lost")
        let other = try stage.addDevice("Other")
        let session = stage.session(by: [other.registration])
        stage.clock.advance(by: .seconds(121))
        let page = try await stage.pages.changeDevices(
            .remove(lost.target.externalID), of: session, client: ClientContext(), reader: stage.reader())
        #expect(page.status == 403 && stage.runner.kept.targets.count == 2)
    }

    @Test("A device of another user is unknown, to rename and to remove")
    func foreign() async throws {
        let stage = try PageStage()
        let own = try stage.addDevice()
        let eve = User(
            id: UserID(from: stage.random), name: try #require(UserName("eve")),
            externalID: try #require(UserName("id-eve")), createdAt: stage.clock.now())
        stage.runner.change { $0.users.append(eve) }
        let foreign = try stage.addDevice("Eve", of: eve)
        for change in [
            PageDeviceChange.rename(foreign.target.externalID, "Mine"), .remove(foreign.target.externalID),
        ] {
            #expect(try await self.change(stage, change, by: [own.registration]).status == 404)
        }
        #expect(stage.runner.kept.targets.map(\.name.text) == ["Phone", "Eve"])
    }

    @Test("The way to sign in is the authorization endpoint, with a challenge that is new each time")
    func signIn() throws {
        let stage = try PageStage()
        let (one, other) = (stage.pages.devicesSignIn(isFresh: false), stage.pages.devicesSignIn(isFresh: true))
        #expect(one.hasPrefix("/oauth2/authorize?") && one.contains("client_id=my-devices"))
        #expect(!one.contains("prompt") && other.hasSuffix("&prompt=login") && !other.hasPrefix(one))
    }

    private func change(
        _ stage: PageStage, _ change: PageDeviceChange, by registrations: [RegistrationID]
    ) async throws -> PageAnswer {
        try await stage.pages.changeDevices(
            change, of: stage.session(by: registrations), client: ClientContext(), reader: stage.reader())
    }
}
