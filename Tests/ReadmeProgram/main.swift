import MobileAuthentication

let (host, authority, invitation) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])
var configuration = Configuration(idSuiteHostname: host)
configuration.additionalTrustedCertificates = [try Data(contentsOf: URL(filePath: authority))]
let client = try await MobileAuthenticationClientInitializer().configuration(configuration).keyVault(.preferHardware)
    .profile(.linux(applicationID: "org.signet.demo")).logger(StandardErrorLogger()).perform()
let chooser = AuthenticatorSelection.async { _ in AuthenticatorAaid.Pin.rawValue }
try await client.operations.authCloudApiRegistration.appLinkUri(invitation)
    .deviceInformation(DeviceInformation(name: "my first phone")).authenticatorSelector(chooser)
    .pinEnroller(PinEnrollment.async { _ in SecretBytes(readLine() ?? "") }).perform()
_ = try await client.operations.authentication.username(client.localData.accounts[0].username)
    .authenticatorSelector(chooser)
    .pinUserVerifier(PinUserVerification.async { _ in SecretBytes(readLine() ?? "") }).perform()
print(client.localData.accounts[0].username, "is signed in")
