import Foundation
import OpenID
import ServerConfiguration
import ServerCore
import Testing
import UAF

@Suite("Configuration file: how long a removed method keeps weaker ones out")
struct RemovalWaitTests {
    private func openID(_ passkeys: String) throws -> OpenIDSettings.Provider {
        try #require(try read("openid: {enabled: true, passkeys: {\(passkeys)}}").webSites.openID)
    }

    @Test("It is a day, or 1 hour to 7 days; without passkeys there is none")
    func range() throws {
        #expect(try openID("").removalWait == nil)
        #expect(try openID("removal-wait: 2h").removalWait == nil)
        #expect(try openID("enabled: true").removalWait == .seconds(86_400))
        #expect(try openID("enabled: true, removal-wait: 7d").removalWait == .seconds(7 * 86_400))
        for wrong in ["59m", "169h"] {
            #expect(problems("openid: {enabled: true, passkeys: {enabled: true, removal-wait: \(wrong)}}").count == 1)
        }
    }

    @Test("It holds for the changes of keys, too, and not beside settings by which any login adds one")
    func changes() throws {
        let passkeys = "openid: {enabled: true, passkeys: {enabled: true, removal-wait: 2h}}\n"
        let settings = try read(passkeys).serverSettings(metadata: .product, origin: "https://a")
        #expect(settings.authorization.removalWait == .seconds(7_200))
        let lenient = try read(passkeys + "authorization: {additional-credential: any-login}")
        #expect(throws: ServerError.invalidSetting(name: "additional-credential")) {
            try lenient.serverSettings(metadata: .product, origin: "https://a")
        }
    }
}
