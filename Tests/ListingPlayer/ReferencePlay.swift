import MobileAuthentication

/// What can be played of the public reference of the SDK: the fragments of its sections 11.1 to 11.3, one by one.
enum ReferencePlay: String {
    case callbackForm = "reference-callbacks"
    case asyncForm = "reference-async"
    case callbacksInTask = "reference-callbacks-in-task"
    case typedThrows = "reference-typed-throws"
    case results = "reference-results"
    case cancellation = "reference-cancellation"
    case clientFor = "reference-client-for"
    case authCloud = "reference-auth-cloud"
    case outOfBand = "reference-out-of-band"
    case pending = "reference-pending"
    case deviceInformation = "reference-device-information"
    case localData = "reference-local-data"
    case deregistration = "reference-deregistration"
    case objects = "reference-objects"
    case closures = "reference-closures"
    case stream = "reference-stream"
    case selectAccount = "reference-select-account"
    case coolDown = "reference-cool-down"

    /// Plays it for a user, with a text that was scanned.
    @MainActor
    func run(
        _ name: String, _ text: String, with configuration: Configuration, by person: Person,
        _ openClient: @MainActor () async throws -> any MobileAuthenticationClient
    ) async throws {
        let forms = ReferenceListings(person: person)
        let client: any MobileAuthenticationClient
        switch self {
        case .callbackForm: client = try await forms.makeClient(with: configuration)
        case .clientFor: client = try await ReferenceOperations.client(for: configuration)
        default: client = try await openClient()
        }
        let rules = ReferenceRules(client: client, name: name, person: person)
        let operations = ReferenceOperations(client: client, name: name, person: person)
        let interaction = ReferenceInteraction(client: client, name: name, person: person)
        switch self {
        case .callbackForm: try await forms.callbackForm(client, name)
        case .asyncForm: try await forms.asyncForm(client, name)
        case .callbacksInTask: try await rules.callbacksInTask()
        case .typedThrows: try await rules.typedThrows()
        case .results, .clientFor: try await rules.results()
        case .cancellation: try await rules.cancellation()
        case .authCloud: try await operations.authCloudApiRegistration(text)
        case .outOfBand: try await operations.outOfBand(text)
        case .pending: try await operations.pendingOutOfBandOperations()
        case .deviceInformation: try await operations.deviceInformation()
        case .localData: try await operations.localData()
        case .deregistration: try await operations.deregistration()
        case .objects: try await interaction.play(.objects)
        case .closures: try await interaction.play(.closures)
        case .stream: try await interaction.play(.stream)
        case .selectAccount: try await interaction.selectAccount(text)
        case .coolDown: try await interaction.coolDown()
        }
    }
}
