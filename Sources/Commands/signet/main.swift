import SignetCommands

await SignetCommand.runProcess()
