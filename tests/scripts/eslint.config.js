// What ESLint looks for in the scripts of the pages; tsc finds names that are not there.

import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": "error",
      "no-unused-vars": ["error", { args: "none" }],
    },
  },
];
