import MobileAuthentication

// Plays the call sites of applications, as they were written for the closed SDK, against a server that runs:
//   CallSitePlayer WHAT HOST CA USER [TEXT]
// WHAT is in-band, or what TEXT has brought: code or link. It prints what the application has shown.

let arguments = CommandLine.arguments
let (what, name) = (arguments[1], arguments[4])
var configuration = Configuration(idSuiteHostname: arguments[2])
configuration.additionalTrustedCertificates = [try Data(contentsOf: URL(filePath: arguments[3]))]
let text = arguments.count > 5 ? arguments[5] : ""

let screens = PlayedScreens(name: name)
let interactions = AppInteractions(
    coordinator: screens.coordinator, validators: AppValidators(allowlist: AuthenticatorAaid.allCases))
let provider = AppClientProvider()
let home = AppHomePresenter(provider: provider, interactions: interactions)
let outOfBand = AppOutOfBandHandler(provider: provider, interactions: interactions)

var beginning: Result<(), Error>?
home.initialize(configuration) { beginning = $0 }
try await screens.play { beginning != nil }
try beginning?.get()

switch what {
case "in-band":
    home.register(username: name, cookies: [])
    try await screens.play { home.messages.count == 1 }
    screens.change(to: "593174")
    home.changePin(username: name)
    try await screens.play { home.messages.count == 2 }
    screens.keepNewPin()
    print(home.pinUsers().joined(separator: ","))
    outOfBand.changeName("renamed", token: nil, disablePush: true)
    try await screens.play { outOfBand.messages.count == 1 }
    outOfBand.check()
    try await screens.play { outOfBand.messages.count == 2 }
    // The application deregisters with what the sign-in has brought.
    home.authenticate(username: name)
    try await screens.play { home.messages.contains("deregistered") || home.messages.count > 4 }
case "code":
    outOfBand.handle(base64UrlEncoded: text)
    try await screens.play { !outOfBand.messages.isEmpty }
case "link":
    outOfBand.register(enrollResponse: nil, appLinkUri: text)
    try await screens.play { !outOfBand.messages.isEmpty }
default: throw CocoaError(.featureUnsupported)
}
for message in home.messages + outOfBand.messages { print(message) }
print(home.accounts.map(\.username).joined(separator: ","))
