/// Request to the operating system for a finger, a face or the passcode.
package struct PresenceRequest: Sendable {
    /// The texts of the dialog; nil for the usual ones.
    package let texts: PromptTexts?
    /// Control through which the application can pause the sensor.
    let listening: Listening?

    package init(texts: PromptTexts? = nil) { self.init(texts: texts, listening: nil) }

    init(texts: PromptTexts?, listening: Listening?) {
        self.texts = texts
        self.listening = listening
    }
}
