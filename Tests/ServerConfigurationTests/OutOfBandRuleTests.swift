import BackendAPI
import ServerConfiguration
import ServerCore
import Testing
import UAF

@Suite("Configuration file: out of band")
struct OutOfBandRuleTests {
    private static let key = String(repeating: "k", count: 43)

    @Test("The defaults are the reference's, and the origin is filled in")
    func defaults() throws {
        let settings = try read("").serverSettings(metadata: .product, origin: "https://127.0.0.1:8443").outOfBand
        #expect(settings.origin == "https://127.0.0.1:8443")
        #expect(settings.tokenLifetime(.registration) == .seconds(300))
        #expect(settings.tokenLifetime(.authentication) == .seconds(120))
        #expect(settings.retention == .seconds(300))
        #expect(settings.dispatchProtection == .required && settings.statusProtection == .required)
        #expect(settings.linking.push == .typed && settings.limits.hasOnePending)
    }

    @Test("A dispatcher may send phones to another address to redeem, and only its own payloads name it")
    func redeemAddresses() throws {
        let settings = try read(
            """
            fido-uaf:
              dispatchers:
                - {type: link, base-url: "myapp://open", authentication-redeem-url: "https://m.example.com/redeem"}
                - {type: png-qr-code}
            """
        ).uaf.dispatchers
        let (dispatchers, origin) = (Dispatchers(from: settings), "https://login.example.com")
        #expect(
            dispatchers.redeemURL(.authentication, by: .link, origin: origin) == "https://m.example.com/redeem")
        #expect(
            dispatchers.redeemURL(.authentication, by: .pngQRCode, origin: origin)
                == "https://login.example.com/nevisfido/token/redeem/authentication")
    }

    @Test("Life times, limits and linking are read; what is out of range is refused with its place")
    func values() throws {
        let settings = try read(
            """
            out-of-band:
              authentication-token-lifetime: 60s
              status-authorization: none
              channel-linking: {push: compare, weakest: compare, digits: 4}
              limits: {pushes: 3, one-pending-operation: false, pending-links: 7}
              device-requests: {max-age: 1m, require-audience: false}
            """
        ).outOfBand
        #expect(settings.tokenLifetime(.authentication) == .seconds(60))
        #expect(settings.statusProtection == .none)
        #expect(settings.linking.scan == .compare && settings.linking.digitCount == 4)
        #expect(settings.limits.pushes == 3 && !settings.limits.hasOnePending)
        #expect(settings.requestAge == .seconds(60) && !settings.requiresAudience)
        #expect(problems("out-of-band: {authentication-token-lifetime: 1h}").count == 1)
        #expect(problems("out-of-band: {channel-linking: {push: none, weakest: typed}}").count == 1)
        #expect(problems("out-of-band: {channel-linking: {push: compare, weakest-push: typed}}").count == 1)
        let pushes = try read("out-of-band: {channel-linking: {weakest-push: typed}}").outOfBand.linking
        #expect(pushes.scan == .none && pushes.weakestPush == .typed)
        #expect(problems("out-of-band: {channel-linking: {digits: 1}}").count == 1)
    }

    @Test("Back-off and quiet hours are read; times that are none, and hours that never end, are refused")
    func pushRhythm() throws {
        let settings = try read(
            """
            out-of-band:
              limits: {push-back-off: 30s}
              quiet-hours: {from: "22:00", to: "06:30", utc-offset: "-05:30"}
            """
        ).outOfBand
        #expect(settings.limits.backOff.firstWait == .seconds(30))
        #expect(settings.limits.quietHours == QuietHours(from: 1_320, to: 390, offset: -330))
        #expect(try read("").outOfBand.limits.quietHours == nil)
        for hours in [
            #"{from: "22:00"}"#, #"{from: "24:00", to: "06:00"}"#, #"{from: "22:00", to: "22:00"}"#,
            #"{from: "22:00", to: "6:00"}"#, #"{from: "22:00", to: "06:00", utc-offset: "01:00"}"#,
            #"{from: "22:00", to: "06:00", utc-offset: "+15:00"}"#,
        ] {
            #expect(problems("out-of-band: {quiet-hours: \(hours)}").count == 1, "\(hours)")
        }
        #expect(problems("out-of-band: {limits: {push-back-off: 2h}}").count == 1)
    }

    @Test("Access keys stand in files that only their owner reads; short ones and doubled names are refused")
    func accessKeys() throws {
        let text = "out-of-band: {access-keys: [{name: portal, key-file: portal.key}]}"
        let files = ["/etc/signet/portal.key": (text: Self.key + "\n", permissions: UInt16(0o600))]
        let keys = try read(text, files: files).outOfBand.accessKeys
        let name = try #require(AccessKeyName("portal"))
        #expect(keys == [try #require(AccessKey(name: name, key: Self.key))])
        let open = ["/etc/signet/portal.key": (text: Self.key, permissions: UInt16(0o644))]
        #expect(problems(text, files: open).count == 1)
        let short = ["/etc/signet/portal.key": (text: "short", permissions: UInt16(0o600))]
        #expect(problems(text, files: short).count == 1)
        let doubled = """
            out-of-band:
              access-keys: [{name: portal, key-file: portal.key}, {name: portal, key-file: portal.key}]
            """
        #expect(problems(doubled, files: files).count == 1)
    }
}
