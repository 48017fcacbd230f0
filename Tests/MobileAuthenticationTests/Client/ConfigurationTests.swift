import MobileAuthentication
import Testing

@Suite("Configuration")
struct ConfigurationTests {
    @Test("An Authentication Cloud host gives the base address and the default paths")
    func authenticationCloud() {
        let configuration = Configuration(authCloudHostname: "demo.mauth.example")
        #expect(configuration.baseUrl.absoluteString == "https://demo.mauth.example/_app")
        #expect(configuration.registrationRequestPath == "/uaf/1.1/request/registration/")
        #expect(configuration.deviceResourcePath == "/devices/")
        #expect(configuration.networkTimeoutInSeconds == 60)
        #expect(configuration.userInteractionTimeoutInSeconds == 240)
    }

    @Test("An Identity Suite host gives the paths of the default pattern")
    func identitySuite() {
        let configuration = Configuration(idSuiteHostname: "login.example:8443")
        #expect(configuration.baseUrl.absoluteString == "https://login.example:8443")
        #expect(configuration.authenticationRequestPath == "/auth/fidouaf")
        #expect(configuration.authenticationResponsePath == "/auth/fidouaf/authenticationresponse/")
        #expect(configuration.dispatchTargetResourcePath == "/nevisfido/token/dispatch/targets/")
    }

    @Test("Text that is no host gives an address that is not https")
    func noHost() {
        let configuration = Configuration(authCloudHostname: "no host\u{0}")
        #expect(configuration.baseUrl.scheme != "https" || configuration.baseUrl.host() != nil)
    }

    @Test(
        "A property list with unknown keys and either form of the address is read",
        arguments: [
            "<key>baseUrl</key><string>https://a.example/x</string>",
            "<key>baseUrl</key><dict><key>relative</key><string>https://a.example/x</string></dict>",
        ])
    func propertyList(address: String) throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\(address)
            <key>authenticationMaxRetries</key><integer>3</integer>
            <key>networkTimeoutInSeconds</key><integer>7</integer></dict></plist>
            """
        let configuration = try PropertyListDecoder().decode(Configuration.self, from: Data(text.utf8))
        #expect(configuration.baseUrl.absoluteString == "https://a.example/x")
        #expect(configuration.networkTimeoutInSeconds == 7)
        #expect(configuration.registrationResponsePath == "/uaf/1.1/registration/")
    }

    @Test("What was written is read again")
    func roundTrip() throws {
        var configuration = Configuration(idSuiteHostname: "login.example", networkTimeoutInSeconds: 5)
        configuration.pinnedCertificates = [Data([1, 2, 3])]
        configuration.allowsSuitesWithoutForwardSecrecy = true
        configuration.debugFlavorHosts = ["staging.example"]
        let copy = try JSONDecoder().decode(Configuration.self, from: JSONEncoder().encode(configuration))
        #expect(copy == configuration)
    }

    @Test("A configuration without address is refused")
    func missingAddress() {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Configuration.self, from: Data("{}".utf8)) }
    }
}
