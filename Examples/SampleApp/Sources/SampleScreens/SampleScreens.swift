#if canImport(SwiftUI) && canImport(UserNotifications)
    public import SampleApp
    public import SwiftUI

    /// The model as SwiftUI observes it.
    @MainActor
    public final class ObservedApp: ObservableObject {
        let app: AppModel

        public init(_ app: AppModel) {
            self.app = app
            app.onChange = { [weak self] in self?.objectWillChange.send() }
        }
    }

    /// The whole app: accounts, the last result, and the question of the moment in front.
    public struct SampleScreen: View {
        @ObservedObject private var observed: ObservedApp
        @State private var scanned = ""

        public init(_ observed: ObservedApp) { self.observed = observed }

        public var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                if let notice = observed.app.notice { Text(notice) }
                if let question = observed.app.question {
                    QuestionScreen(question: question, app: observed.app)
                } else {
                    home
                }
            }
            .padding()
        }

        private var home: some View {
            VStack(alignment: .leading, spacing: 16) {
                ForEach(observed.app.accounts, id: \.self) { Text($0) }
                TextField("Text of the QR code", text: $scanned)
                Button("Continue") { Task { await observed.app.scan(scanned) } }.disabled(observed.app.isBusy)
                Button("Allow messages") { Task { await observed.app.switchPushOn() } }
            }
            .task { await observed.app.lookForRequests() }
        }
    }

    /// One question.
    struct QuestionScreen: View {
        let question: Question
        let app: AppModel
        @State private var entry = ""

        var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                switch question.kind {
                case .newPIN(let problem): secret("Choose a PIN of six digits", problem)
                case .pin(let problem): secret("PIN", problem)
                case .digits(let count, let problem): secret("The \(count) digits of the other screen", problem)
                case .authenticator(let choices):
                    ForEach(choices) { choice in Button(choice.name) { app.answer(choice.id) } }
                case .consent(let text, let accounts):
                    Text(text ?? "Sign in?")
                    ForEach(accounts, id: \.self) { account in
                        Button("Confirm as \(account)") { app.answer(account) }
                    }
                    Button("That was not me") { app.report() }
                case .removal(let server):
                    Text("\(server) wants to remove its registrations from this device.")
                    Button("Remove") { app.answer("") }
                }
                Button("Cancel") { app.cancel() }
            }
        }

        @ViewBuilder
        private func secret(_ label: String, _ problem: String?) -> some View {
            if let problem { Text(problem) }
            SecureField(label, text: $entry)
            Button("Continue") {
                app.answer(entry)
                entry = ""
            }
        }
    }
#endif
